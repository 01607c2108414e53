import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzip } from "libdeflate";
import { run, web } from "./run.js";

const out = `${web}dist/npm`;

/** The level of libdeflate with the smallest files: a twenty-fifth smaller than zlib's. */
const smallest = 12;

/** The compiled program. */
export const program = `${web}dist/crdsem.wasm`;

/** Builds the npm package into dist/npm. */
export async function buildPackage() {
  await rm(out, { recursive: true, force: true });
  await mkdir(`${web}dist`, { recursive: true });
  await cp(`${web}npm`, out, { recursive: true });
  await cp(`${web}../LICENSE`, `${out}/LICENSE`);
  await cp(`${web}../cmd/crdsem/THIRD_PARTY_LICENSES`, `${out}/THIRD_PARTY_LICENSES`);
  await writeFile(`${out}/wasm_exec.js`, await glue());
  compile();
  await writeFile(`${out}/crdsem.wasm.gz`, gzip(await readFile(program), smallest));
  const rules = run("go", ["run", "../tools/site", "-rules"]);
  await writeFile(`${out}/rules.js`, `export default ${rules.trim()};\n`);
}

/**
 * Compiles the program. Without inlining it is a sixth smaller, and verdicts take as long: the
 * browser inlines.
 */
function compile() {
  const flags = ["-trimpath", "-gcflags=all=-l", "-ldflags=-s -w"];
  run("go", ["build", ...flags, "-o", program, "./wasm"], { GOOS: "js", GOARCH: "wasm" });
}

/**
 * Returns Go's glue as a module, which takes the global object as its argument. The glue reads some
 * members as global variables too.
 */
async function glue() {
  const root = run("go", ["env", "GOROOT"]).trim();
  const text = await readFile(`${root}/lib/wasm/wasm_exec.js`, "utf8");
  return `export default function (globalThis) {\nconst { fs, Date, crypto, performance } = globalThis;\n${text}\nreturn globalThis.Go;\n}\n`;
}
