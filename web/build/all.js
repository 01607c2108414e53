import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { buildPackage, program } from "./npm.js";
import { buildPage } from "./page.js";
import { run, web } from "./run.js";

await buildPackage();
const brotli = inBrotli(await readFile(program)); // in a thread of its own
run("npm", ["pack", "--silent", "--pack-destination", `${web}dist`, `${web}dist/npm`]);
await buildPage();
// A server that sends prepared files answers a request for crdsem.wasm.gz with this file.
await writeFile(`${web}dist/site/crdsem.wasm.gz.br`, await brotli);

/** Returns bytes in brotli, of quality 10 with a window of 16 MiB: the program is larger. */
function inBrotli(bytes) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 10,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  return promisify(brotliCompress)(bytes, { params });
}
