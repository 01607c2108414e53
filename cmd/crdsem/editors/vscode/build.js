// Bundles the extension, and writes the licenses of what is in it.
const { build } = require("esbuild");
const { copyFileSync, readFileSync, readdirSync, writeFileSync } = require("node:fs");

async function main() {
  const { metafile } = await build({
    entryPoints: ["src/extension.ts"],
    bundle: true,
    platform: "node",
    target: "node20",
    external: ["vscode"],
    outfile: "dist/extension.js",
    metafile: true,
  });
  const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
  const inputs = Object.keys(metafile.inputs).map((input) => folder.exec(input)?.[0]);
  const texts = [...new Set(inputs)].filter(Boolean).sort().map((name) => {
    const file = readdirSync(name).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no file with its license`);
    const { version } = JSON.parse(readFileSync(`${name}/package.json`, "utf8"));
    const title = `${name.replace(/^.*node_modules\//, "")} ${version}`;
    return `${title}\n\n${readFileSync(`${name}/${file}`, "utf8")}`;
  });
  writeFileSync("THIRD_PARTY_LICENSES", texts.join(`\n${"=".repeat(80)}\n\n`));
  copyFileSync("../../../../LICENSE", "LICENSE");
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
