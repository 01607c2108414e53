// Answers the ops admit (creates) and validate by ajv, with the schema of the definition as it
// stands, as programs in JavaScript use it. It knows no pruning, defaults, list types or rules in
// CEL.
import { createInterface } from "node:readline";
import Ajv from "ajv";
import formats from "ajv-formats";
import { load } from "js-yaml";

const ajv = new Ajv({ strict: false, logger: false, allErrors: true, allowUnionTypes: true });
formats(ajv);

// document reads an input: a value, or a string of JSON or YAML.
const document = (input) => (typeof input === "string" ? load(input) : input);

// schemaOf turns int-or-string and nullable, which JSON Schema lacks, into types.
function schemaOf(schema) {
  if (Array.isArray(schema)) return schema.map(schemaOf);
  if (schema === null || typeof schema !== "object") return schema;
  const out = {};
  for (const [key, value] of Object.entries(schema)) {
    out[key] = key === "default" || key === "enum" ? value : schemaOf(value);
  }
  if (out["x-kubernetes-int-or-string"] === true) out.type = ["integer", "string"];
  if (out.nullable === true && out.type) out.type = [out.type, "null"].flat();
  return out;
}

function errorsOf(schema, object) {
  const validate = ajv.compile(schemaOf(schema ?? {}));
  if (validate(object)) return [];
  return validate.errors.map((e) => ({
    type: e.keyword,
    field: e.instancePath,
    detail: e.message,
    text: `${e.instancePath} ${e.message}`,
  }));
}

function answer(request) {
  if (request.old != null || request.subresource) return { fault: "not supported: updates" };
  if (request.op === "validate") {
    return {
      errors: errorsOf(document(request.schema), document(request.object)),
      ratcheted: [],
    };
  }
  const crd = document(request.crd);
  const version = crd.spec.versions.find((v) => v.name === request.version);
  const object = document(request.object);
  const errors = errorsOf(version?.schema?.openAPIV3Schema, object);
  const stage = errors.length > 0 ? "invalid" : "admitted";
  return { stage, object, errors, warnings: [], unknownFields: [] };
}

const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
write({ protocol: 1, name: "ajv", ops: ["admit", "validate"] });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...request } = JSON.parse(line);
  let result;
  try {
    result = answer(request);
  } catch (err) {
    result = { fault: String(err.message ?? err) };
  }
  write({ id, ...result });
}
