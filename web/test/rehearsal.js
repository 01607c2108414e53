// Packs the built package and uses it in fresh projects, as strangers do. It needs the registry.
//
//	node test/rehearsal.js
import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packaged = fileURLToPath(new URL("../dist/npm", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "crdsem-npm-"));

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {n: {type: integer, default: 1}}}}}}
`;
const object = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n";

/** A program that prints the default that is filled in. */
const use = `const result = await (await parse(${JSON.stringify(crd)})).version("v1").create(${JSON.stringify(object)});
console.log(result.verdict, result.object.spec === undefined, result.findings.length);`;
const printed = "accepted true 0";

const typed = `import { parse } from "crdsem";
const definition = await parse("");
const result = await definition.version("v1").create("");
for (const finding of result.findings) {
  const place: string = \`\${finding.line}:\${finding.column}\`;
  console.log(place, finding.text);
}
`;

const projects = {
  "npm publish": () => run(packaged, "npm", "publish", "--dry-run", "--provenance=false"),
  ESM() {
    const dir = project("esm", { type: "module" });
    writeFileSync(join(dir, "main.js"), `import { parse } from "crdsem";\n${use}\n`);
    expect(run(dir, "node", "main.js"));
  },
  CommonJS() {
    const dir = project("commonjs", {});
    const body = `import("crdsem").then(async ({ parse }) => {\n${use}\n});\n`;
    writeFileSync(join(dir, "main.js"), body);
    expect(run(dir, "node", "main.js"));
  },
  "TypeScript strict"() {
    const dir = project("typescript", { type: "module" }, "typescript@5.9.3");
    writeFileSync(join(dir, "main.ts"), typed);
    const flags = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"];
    run(dir, "npx", "tsc", ...flags, "--lib", "es2022,dom", "main.ts");
  },
  esbuild: () =>
    bundled("esbuild", ["esbuild@0.28.2"], (dir) =>
      run(dir, "npx", "esbuild", "main.js", "--bundle", "--format=esm", "--outdir=dist"),
    ),
  vite: () =>
    bundled("vite", ["vite@7"], (dir) => {
      writeFileSync(join(dir, "index.html"), `<script type="module" src="/main.js"></script>`);
      const config = `export default { build: { target: "es2022" } };\n`;
      writeFileSync(join(dir, "vite.config.js"), config);
      return run(dir, "npx", "vite", "build");
    }),
  webpack: () =>
    bundled("webpack", ["webpack@5", "webpack-cli@6"], (dir) =>
      run(dir, "npx", "webpack", "--mode", "production", "--entry", "./main.js"),
    ),
  Deno() {
    const dir = project("deno", { type: "module" }, "deno@2");
    writeFileSync(join(dir, "main.js"), `import { parse } from "crdsem";\n${use}\n`);
    expect(run(dir, "npx", "deno", "run", "--allow-read", "--allow-env", "main.js"));
  },
};

/** Makes a project that has the packed package installed. */
function project(name, manifest, ...more) {
  const dir = join(work, name);
  mkdirSync(dir);
  writeFileSync(join(dir, "package.json"), JSON.stringify({ name, private: true, ...manifest }));
  run(dir, "npm", "install", "--no-audit", "--no-fund", packed, ...more);
  return dir;
}

/** Bundles a program that is given the address of the WebAssembly file. */
function bundled(name, tools, bundle) {
  const dir = project(name, { type: "module" }, ...tools);
  writeFileSync(join(dir, "main.js"), `import { parse } from "crdsem";\n${use}\n`);
  bundle(dir);
  if (!readdirSync(join(dir, "dist")).length) throw new Error("nothing was bundled");
}

function expect(output) {
  if (output.trim() !== printed) throw new Error(`printed ${output}, not ${printed}`);
}

function run(dir, name, ...args) {
  return execFileSync(name, args, {
    cwd: dir,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

const [{ filename, size, unpackedSize }] = JSON.parse(run(work, "npm", "pack", "--json", packaged));
const packed = join(work, filename);
console.log(`${filename}: ${size} bytes, ${unpackedSize} unpacked`);
let failed = 0;
for (const [name, attempt] of Object.entries(projects)) {
  try {
    attempt();
    console.log(`${name}: works`);
  } catch (error) {
    failed++;
    console.log(`${name}: ${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
  }
}
rmSync(work, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
