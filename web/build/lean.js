import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { run, web } from "./run.js";

const folder = `${web}dist/lean`;

/**
 * What the program does without. The linker keeps this code, because initialization or a table
 * mentions it, but no request reaches it.
 */
const cuts = [
  {
    module: "github.com/google/cel-go",
    // A table of all extensions by name, and a template of prompts for language models.
    remove: ["ext/extension_option_factory.go", "cel/prompt.go"],
  },
  {
    module: "k8s.io/apimachinery",
    replace: { "pkg/runtime/serializer/cbor/direct": `${web}build/lean/direct` },
  },
  {
    module: "google.golang.org/protobuf",
    replace: { "reflect/protodesc": `${web}build/lean/protodesc` },
  },
];

/**
 * Calls a function with the file of a Go workspace that has cut copies of modules in their place.
 * The copies are removed afterwards: no other build or check may find them.
 */
export async function inLeanWorkspace(build) {
  try {
    build(await leanWorkspace());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies the modules that are cut, and returns the file of the workspace. */
async function leanWorkspace() {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const replaced = ["replace github.com/crdsem/crdsem v0.0.0 => ../../.."];
  for (const cut of cuts) {
    await copyCut(cut);
    replaced.push(`replace ${cut.module} => ./${cut.module}`);
  }
  const file = `${folder}/go.work`;
  const [version] = /^go .*$/m.exec(await readFile(`${web}../go.work`, "utf8"));
  await writeFile(file, `${version}\n\nuse (\n\t../../..\n\t../..\n)\n\n${replaced.join("\n")}\n`);
  await cp(`${web}../go.work.sum`, `${folder}/go.work.sum`);
  return file;
}

/** Copies a module without what is cut. */
async function copyCut({ module, remove = [], replace = {} }) {
  run("go", ["mod", "download", module]);
  const copy = `${folder}/${module}`;
  await cp(run("go", ["list", "-m", "-f", "{{.Dir}}", module]).trim(), copy, { recursive: true });
  await writable(copy);
  for (const file of remove) await rm(`${copy}/${file}`);
  for (const [name, other] of Object.entries(replace)) {
    await rm(`${copy}/${name}`, { recursive: true });
    await cp(other, `${copy}/${name}`, { recursive: true });
  }
}

/** Makes the folders of a copy writable: those of Go's cache are not. */
async function writable(path) {
  await chmod(path, 0o755);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await writable(`${path}/${entry.name}`);
  }
}
