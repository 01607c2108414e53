// Says where the bytes of the program are: make web-figures.
import { spawnSync } from "node:child_process";
import { compile } from "./npm.js";
import { run, web } from "./run.js";

const file = `${web}dist/named.wasm`;
await compile(file, "-w");
const format = "{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}";
const packages = run("go", ["list", "-deps", "-f", format, "./wasm"], {
  GOOS: "js",
  GOARCH: "wasm",
});
const stdio = ["pipe", "inherit", "inherit"];
const done = spawnSync("go", ["run", "./size", file], { cwd: web, input: packages, stdio });
process.exitCode = done.status;
