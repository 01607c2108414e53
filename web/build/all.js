import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { buildPackage, program } from "./npm.js";
import { buildPage } from "./page.js";
import { run, web } from "./run.js";

await buildPackage();
const brotli = inBrotli(await readFile(program)); // takes a minute, in a thread of its own
run("npm", ["pack", "--silent", "--pack-destination", `${web}dist`, `${web}dist/npm`]);
await buildPage();
// A server that sends prepared files answers a request for crdsem.wasm.gz with this file.
await writeFile(`${web}dist/site/crdsem.wasm.gz.br`, await brotli);

/** Returns bytes in brotli, as small as it makes them. */
function inBrotli(bytes) {
  const { BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS } = constants;
  const params = {
    [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_NPOSTFIX]: 3,
    [constants.BROTLI_PARAM_NDIRECT]: 120, // the most distances with a code of their own
    [constants.BROTLI_PARAM_LGBLOCK]: 20, // blocks of 1 MiB: 13 KB less than by default
  };
  return promisify(brotliCompress)(bytes, { params });
}
