import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { inLeanWorkspace } from "./lean.js";
import { run, web } from "./run.js";

const out = `${web}dist/npm`;

/** The compiled program. */
export const program = `${web}dist/compiled.wasm`;

/** Builds the npm package into dist/npm. */
export async function buildPackage() {
  await rm(out, { recursive: true, force: true });
  await cp(`${web}npm`, out, { recursive: true });
  for (const name of ["LICENSE", "THIRD_PARTY_LICENSES"]) {
    await cp(`${web}../${name}`, `${out}/${name}`);
  }
  await writeFile(`${out}/wasm_exec.js`, await glue());
  await compile(program, "-s -w");
  await writeFile(`${out}/crdsem.wasm.gz`, await packed(program));
  const rules = run("go", ["run", "./site", "-rules"]);
  await writeFile(`${out}/rules.js`, `export default ${rules.trim()};\n`);
}

/** Returns a program, packed and zipped. */
export async function packed(file) {
  run("go", ["run", "./pack", file, `${file}.packed`]);
  return gzipSync(await readFile(`${file}.packed`), { level: 9, memLevel: 7 }); // small blocks suit programs
}

/**
 * Compiles the program into a file. Without inlining it is 15 % smaller, and verdicts take as long:
 * the browser inlines.
 */
export async function compile(file, linkerFlags) {
  await mkdir(`${web}dist`, { recursive: true });
  const flags = ["-trimpath", "-gcflags=all=-l", `-ldflags=${linkerFlags}`];
  await inLeanWorkspace((workspace, overlay) => {
    const env = { GOOS: "js", GOARCH: "wasm", GOWORK: workspace };
    run("go", ["build", ...flags, `-overlay=${overlay}`, "-o", file, "./wasm"], env);
  });
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
