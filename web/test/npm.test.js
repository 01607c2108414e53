// The built npm package, as its users call it.
import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { started } from "../build/start.js";
import { CrdsemError, explain, load, loadWorker, parse } from "../dist/npm/index.js";
import { compiled } from "../dist/npm/source.js";

const example = (name) => readFile(new URL(`../../examples/${name}`, import.meta.url), "utf8");
const cronTabs = await example("crontab/crd.yaml");
const pools = await example("rules/crd.yaml");
const cronTab = {
  apiVersion: "stable.example.com/v1",
  kind: "CronTab",
  metadata: { name: "nightly" },
  spec: { cronSpec: "0 3 * * *", image: "job", extra: true },
};

const built = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

test("the programs have at most 4 MB, zipped", async () => {
  for (const name of ["npm/crdsem.wasm.gz", "site/crdsem.wasm.gz"]) {
    const { size } = await stat(built(name));
    assert.ok(size <= 4_000_000, `${name}: ${size} bytes`);
  }
});

test("the page's program goes on from its start, each time anew", async () => {
  const module = await compiled(await readFile(built("site/crdsem.wasm.gz")));
  const [first, second, fresh] = await Promise.all([load(module), load(module), load()]);
  assert.deepEqual(first.hello, fresh.hello);
  for (const engine of [first, second, first, fresh]) {
    const result = await (await engine.parse(cronTabs)).version("v1").create(cronTab);
    assert.equal(result.verdict, "accepted");
  }
});

test("a program starts alike each time", async () => {
  const program = await readFile(built("compiled.wasm"));
  const [first, second] = [await started(program), await started(program)];
  assert.ok(first.equals(second));
});

test("a create returns what is stored, and what was changed", async () => {
  const definition = await parse(cronTabs);
  assert.equal(definition.name, "crontabs.stable.example.com");
  const result = await definition.version("v1").create(cronTab);
  assert.equal(result.verdict, "accepted");
  assert.deepEqual(
    result.changes.map((change) => [change.action, change.path]),
    [
      ["Pruned", "spec.extra"],
      ["Defaulted", "spec.foo"],
      ["Defaulted", "spec.replicas"],
    ],
  );
  assert.equal(result.object.spec.replicas, 1);
  assert.match(result.stored, /^ {2}replicas: 1$/m);
  assert.equal(cronTab.spec.extra, true, "the argument is changed");
});

test("a refusal names the field, the line, the rule and a hint", async () => {
  const definition = await parse(cronTabs);
  const text = `apiVersion: stable.example.com/v1
kind: CronTab
metadata:
  name: nightly
spec:
  cronSpec: "every day"
  replicas: 11
`;
  const result = await definition.version("v1").create(text);
  assert.equal(result.verdict, "refused");
  const found = result.findings.map(({ line, field, rule }) => ({ line, field, rule }));
  assert.deepEqual(found, [
    { line: 6, field: "spec.cronSpec", rule: "VAL-042" },
    { line: 7, field: "spec.replicas", rule: "VAL-050" },
  ]);
  assert.ok(result.findings.every((finding) => finding.hint));
});

test("unknown fields are refused by a strict request", async () => {
  const version = (await parse(cronTabs)).version("v1");
  const result = await version.create(cronTab, { fieldValidation: "Strict" });
  assert.equal(result.verdict, "refused");
  assert.match(result.refusal, /strict decoding error: unknown field "spec.extra"/);
});

test("an update tolerates what did not change", async () => {
  const version = (await parse(cronTabs)).version("v1");
  const old = { ...cronTab, spec: { cronSpec: "every day" } };
  const changed = { ...old, spec: { ...old.spec, image: "job" } };
  const result = await version.update(changed, old);
  assert.equal(result.verdict, "accepted");
  assert.equal(result.findings[0].severity, "tolerated");
  const other = { ...changed, metadata: { name: "other" } };
  assert.equal((await version.update(other, old)).verdict, "refused");
});

test("a failed rule is explained", async () => {
  const definition = await parse(pools);
  const text = (await example("rules/pools.yaml")).split(/^---$/m);
  const results = await Promise.all(text.map((object) => definition.versions[0].create(object)));
  const explanations = results.flatMap((result) => result.explanations ?? []);
  assert.ok(explanations.length > 0);
  for (const { rule, terms } of explanations) {
    assert.ok(terms.length > 0, rule);
    for (const { text, value } of terms) assert.ok(text && value !== undefined, rule);
  }
});

test("costs, tables and conversion", async () => {
  const definition = await parse(pools);
  const table = await definition.versions[0].cost();
  assert.equal(table.definition, definition.name);
  assert.ok(table.rules.length > 1);
  const jobs = await parse(cronTabs);
  const { columns, rows } = await jobs.version("v1").table([cronTab], new Date(0));
  assert.equal(columns[0].name, "Name");
  assert.equal(rows[0][0], "nightly");
  const [same] = await jobs.convert([cronTab], "v1");
  assert.deepEqual(same, cronTab);
  await assert.rejects(jobs.convert([cronTab], "v7"), CrdsemError);
});

test("a definition of an older minor", async () => {
  const old = await parse(cronTabs, { kubernetes: "1.29" });
  assert.equal((await old.version("v1").create(cronTab)).verdict, "accepted");
  await assert.rejects(parse(cronTabs, { kubernetes: "1.3" }), CrdsemError);
});

test("a definition is checked, and its update too", async () => {
  const definition = await parse(cronTabs);
  assert.equal((await definition.check()).verdict, "accepted");
  const update = await definition.check(cronTabs.replace("scope: Namespaced", "scope: Cluster"));
  assert.equal(update.verdict, "refused");
  assert.equal(update.request, "update");
});

test("what is no definition is an error that says why", async () => {
  await assert.rejects(parse(": :"), /the definition cannot be read: /);
  await assert.rejects(parse(""), /0 documents/);
  await assert.rejects(parse({ kind: "Pod", apiVersion: "v1" }), /cannot be read/);
  const definition = await parse(cronTabs);
  assert.throws(() => definition.version("v2"), /no version v2; it has v1/);
  await assert.rejects(definition.version("v1").create(""), /0 objects/);
});

test("a rule of the specification", async () => {
  const rule = await explain("prn-003");
  assert.equal(rule.id, "PRN-003");
  assert.ok(rule.statement && rule.title && rule.link);
  assert.equal(await explain("PRN-999"), undefined);
});

test("the evaluation protocol keeps the kind of numbers", async () => {
  const engine = await load();
  const answer = await engine.answer(
    '{"id":"1","op":"default","schema":{"type":"object"},"object":{"a":1.0,"b":1}}',
  );
  assert.equal(answer, '{"id":"1","object":{"a":1.0,"b":1}}');
  assert.equal(JSON.parse(await engine.answer("{")).id, "");
  await assert.rejects(engine.request({ op: "nothing" }), CrdsemError);
  assert.ok(engine.hello.kubernetes.includes("1.33"));
  engine.close();
  await assert.rejects(engine.answer("{}"), /closed/);
});

test("in a worker", async () => {
  const engine = await loadWorker();
  after(() => engine.close());
  const version = (await engine.parse(cronTabs)).version("v1");
  assert.equal((await version.create(cronTab)).verdict, "accepted");
});

test("nothing is left on the global object", async () => {
  await load();
  for (const name of ["Go", "fs", "path", "crdsem"]) assert.equal(name in globalThis, false, name);
});
