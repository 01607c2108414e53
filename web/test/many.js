// Compares the processor time of the package with that of the command, on many objects.
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { load } from "../dist/npm/index.js";

/** As many as gateway-api has in the comparison of the README. */
const definitions = 23;
const objects = 512;

const example = (name) =>
  readFile(new URL(`../page/examples/${name}.yaml`, import.meta.url), "utf8");

/** Returns files with definitions, and with objects of them: each kind is one of its own. */
export async function manyDocuments() {
  const crd = await example("gateway/crd");
  const object = await example("gateway/object");
  const numbered = (text, i) => text.replaceAll("gateway.networking.k8s.io", `n${i}.example.com`);
  const list = (n, text) => Array.from({ length: n }, (_, i) => numbered(text, i % definitions));
  return [
    ...list(definitions, crd).map((text, i) => ({ file: `crd${i}.yaml`, text })),
    ...list(objects, object).map((text, i) => ({ file: `object${i}.yaml`, text })),
  ];
}

/** Returns the processor time of the command, in seconds, and what it counts. */
async function ofCommand(documents) {
  const folder = await mkdtemp(`${tmpdir()}/crdsem-`);
  const program = `${folder}/crdsem`;
  try {
    const cwd = fileURLToPath(new URL("../../cmd/crdsem", import.meta.url));
    const built = spawnSync("go", ["build", "-o", program, "."], { cwd, stdio: "inherit" });
    if (built.status !== 0) throw new Error("the command does not build");
    for (const { file, text } of documents) await writeFile(`${folder}/${file}`, text);
    const script = 'times > /dev/null; "$0" validate . > /dev/null; times';
    const { stdout } = spawnSync("bash", ["-c", script, program], {
      cwd: folder,
      encoding: "utf8",
    });
    const times = stdout
      .trim()
      .split("\n")
      .at(-1)
      .match(/[\d.]+m[\d.]+s/g);
    return times.reduce((sum, text) => sum + secondsOf(text), 0);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function secondsOf(text) {
  const [, minutes, seconds] = /([\d.]+)m([\d.]+)s/.exec(text);
  return 60 * Number(minutes) + Number(seconds);
}

/** Returns the processor times of one call of a function, in seconds. */
async function used(call) {
  const before = process.cpuUsage();
  await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Returns the processor times of the command, of the start and of both calls, in seconds. */
export async function compared() {
  const documents = await manyDocuments();
  const command = await ofCommand(documents);
  let engine;
  const start = await used(async () => (engine = await load()));
  const first = await used(() => engine.validate(documents, { fieldValidation: "Strict" }));
  const second = await used(() => engine.validate(documents, { fieldValidation: "Strict" }));
  engine.close();
  return { command, start, first, second };
}
