import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { licenses } from "./licenses.js";
import { run, web } from "./run.js";

const out = `${web}dist/site`;
const page = `${web}page`;
const packaged = `${web}dist/npm`;

/** The scripts of the site, and where they go. */
const scripts = { "library.js": "library.js", "main.js": "page.js", "book.js": "book.js" };

/** Builds the page, the documentation and the specification into dist/site, from the built package. */
export async function buildPage() {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const worker = await bundled(`${packaged}/worker.js`, []);
  const ruleFiles = run("go", ["run", "../tools/site", "-files"]);
  const plugins = [
    virtual("worker-source", worker, "text"),
    virtual("rule-files", ruleFiles, "json"),
    virtual("example-answers", JSON.stringify(await exampleAnswers()), "json"),
  ];
  for (const [name, target] of Object.entries(scripts)) {
    await writeFile(`${out}/${target}`, await bundled(`${page}/src/${name}`, plugins));
  }
  for (const name of ["index.html", "try.html", "style.css", "spec.css", "icon.svg"])
    await cp(`${page}/${name}`, `${out}/${name}`);
  await cp(`${page}/src/theme.js`, `${out}/theme.js`);
  const zipped = await readFile(`${packaged}/crdsem.wasm.gz`);
  await writeFile(`${out}/crdsem.wasm.gz`, zipped);
  const script = `globalThis.crdsemProgram = "${zipped.toString("base64")}";\n`;
  await writeFile(`${out}/crdsem.wasm.js`, script);
  await writeFile(`${out}/licenses.txt`, await licenses(bundledPackages));
  run("go", ["run", "../tools/site", "-pages", out]);
}

/** Returns the verdicts on the examples by name, which the page shows without the program. */
async function exampleAnswers() {
  const [{ load }, { examples }, { judgeRequest }] = await Promise.all([
    import(`${packaged}/index.js`),
    imported(`${page}/src/examples.js`),
    import(`${page}/src/judge.js`),
  ]);
  const engine = await load();
  const answers = {};
  for (const [name, { state }] of Object.entries(examples)) {
    answers[name] = await engine.request(judgeRequest({ kubernetes: "", ...state }));
  }
  engine.close();
  return answers;
}

/** Imports a module whose imports Node does not know, e.g. YAML. */
async function imported(entry) {
  const text = await bundled(entry, [], "esm");
  return import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
}

/** The folders of the packages that are part of the page. */
const bundledPackages = new Set();

/** Bundles a script and what it imports into one script, which is classic unless it is a module. */
async function bundled(entry, plugins, format = "iife") {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: "es2022",
    loader: { ".yaml": "text" },
    alias: { crdsem: packaged },
    define: { "import.meta.url": '""' },
    legalComments: "eof",
    plugins,
    metafile: true,
  });
  for (const input of Object.keys(result.metafile.inputs)) {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    if (name) bundledPackages.add(name);
  }
  return result.outputFiles[0].text;
}

/** Returns a plugin that gives a module its contents. */
function virtual(name, contents, loader) {
  return {
    name,
    setup(builder) {
      builder.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({
        path: name,
        namespace: name,
      }));
      builder.onLoad({ filter: /.*/, namespace: name }, () => ({ contents, loader }));
    },
  };
}
