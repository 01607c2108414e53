import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { inLeanWorkspace } from "./lean.js";
import { run, web } from "./run.js";

const out = `${web}dist/npm`;

/** Builds the npm package into dist/npm. */
export async function buildPackage() {
  await rm(out, { recursive: true, force: true });
  await cp(`${web}npm`, out, { recursive: true });
  for (const name of ["LICENSE", "THIRD_PARTY_LICENSES"]) {
    await cp(`${web}../${name}`, `${out}/${name}`);
  }
  await writeFile(`${out}/crdsem.wasm.gz`, await program());
  await writeFile(`${out}/wasm_exec.js`, await glue());
  const rules = run("go", ["run", "./site", "-rules"]);
  await writeFile(`${out}/rules.js`, `export default ${rules.trim()};\n`);
}

/** Builds the program, packed and zipped. */
async function program() {
  const file = `${web}dist/crdsem.wasm`;
  await compile(file, "-s -w");
  run("go", ["run", "./pack", file, file]);
  return gzipSync(await readFile(file), { level: 9, memLevel: 7 }); // small blocks suit programs
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
 * Returns Go's glue as a module, which takes the global object as its argument. The glue reads the
 * file system as a global variable too, by which the program reports its own end.
 */
async function glue() {
  const root = run("go", ["env", "GOROOT"]).trim();
  const text = await readFile(`${root}/lib/wasm/wasm_exec.js`, "utf8");
  return `export default function (globalThis) {\nconst { fs } = globalThis;\n${text}\nreturn globalThis.Go;\n}\n`;
}
