// Compares the processor time of the package with that of ajv and the schemas that `crdsem schema`
// writes, on the same objects: node test/schemas.js FOLDER SCHEMAS. A schema has the structure
// only: neither rules in CEL, nor the rules of list types, metadata and definitions.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Ajv from "ajv";
import { loadAll } from "js-yaml";
import { load } from "../dist/npm/index.js";

const [folder, schemas] = process.argv.slice(2);

/** Returns the files of a folder with an ending, with their texts. */
async function texts(folder, ending) {
  const files = (await readdir(folder, { recursive: true })).filter((name) => ending.test(name));
  return Promise.all(
    files.sort().map(async (file) => ({ file, text: await readFile(join(folder, file), "utf8") })),
  );
}

/** Returns the processor time of a call in seconds, and what it returns. */
async function used(call) {
  const before = process.cpuUsage();
  const result = await call();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1e6, result];
}

const key = ({ apiVersion, kind }) => `${apiVersion} ${kind}`;

/** Returns the validators of the schemas by apiVersion and kind. */
function compiled(all) {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const of = new Map();
  for (const schema of all) {
    for (const type of schema["x-kubernetes-group-version-kind"] ?? []) {
      const apiVersion = type.group ? `${type.group}/${type.version}` : type.version;
      of.set(key({ apiVersion, kind: type.kind }), ajv.compile(schema));
    }
  }
  return of;
}

const documents = await texts(folder, /\.ya?ml$/);
const written = (await texts(schemas, /\.json$/)).map(({ text }) => JSON.parse(text));
const [reading, objects] = await used(() => documents.flatMap(({ text }) => loadAll(text)));
const [compiling, validators] = await used(() => compiled(written));
const isRefused = (object) => validators.get(key(object))?.(object) === false;
const [validating, refused] = await used(() => objects.filter(Boolean).filter(isRefused).length);

const engine = await load();
const judge = () => engine.validate(documents, { fieldValidation: "Strict" });
const [first, results] = await used(judge);
const [again] = await used(judge);
const count = results.filter(({ verdict, definition }) => verdict === "refused" && !definition);
engine.close();

const seconds = (s) => s.toFixed(2);
console.log(`${documents.length} files, ${validators.size} types`);
console.log(
  `ajv: reading ${seconds(reading)} s, compiling ${seconds(compiling)} s,`,
  `validating ${seconds(validating)} s: ${refused} refused`,
);
console.log(
  `crdsem: first ${seconds(first)} s, again ${seconds(again)} s: ${count.length} refused`,
);
