// The built npm package, as its users call it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { bounds } from "../build/bounds.js";
import { CrdsemError, explain, load, loadWorker, parse, validate } from "../dist/npm/index.js";
import { connect } from "../dist/npm/remote.js";

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

test("the program keeps its bounds of size", async () => {
  for (const [name, bound] of Object.entries(bounds)) {
    const { size } = await stat(built(name));
    assert.ok(size <= bound, `${name}: ${size} bytes, more than ${bound}`);
  }
});

test("a server may send the program in brotli instead", async () => {
  const brotli = await readFile(built("site/crdsem.wasm.gz.br"));
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-encoding": "br" }).end(brotli);
  });
  after(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${server.address().port}/crdsem.wasm.gz`;
  const [sent, packaged] = await Promise.all([load(new URL(address)), load()]);
  assert.deepEqual(sent.hello, packaged.hello);
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

test("many objects in one request have the results of one request each", async () => {
  const version = (await parse(cronTabs)).version("v1");
  const objects = Array.from({ length: 20 }, (_, i) => ({
    ...cronTab,
    spec: { ...cronTab.spec, replicas: i },
  }));
  const options = { fieldValidation: "Strict" };
  const all = await version.createAll(objects, options);
  const single = await Promise.all(objects.map((object) => version.create(object, options)));
  assert.deepEqual(all, single);
  assert.deepEqual(await version.createAll([]), []);
  await assert.rejects(version.createAll([cronTab, "a: 1\n---\nb: 2\n"]), /text 2 has 2 objects/);
  await assert.rejects(version.createAll(cronTab), /must be an array/);
});

test("documents of any kind are judged in one request", async () => {
  const old = cronTabs.replaceAll("stable.example.com", "stable.example.org");
  const documents = [
    { file: "a.yaml", text: `${JSON.stringify(cronTab)}\n---\n: :\n` },
    { file: "b.yaml", text: Buffer.from(cronTabs) },
    { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } },
    old.replace("crontabs.stable.example.org", "x"),
  ];
  const results = await validate(documents, { fieldValidation: "Strict" });
  assert.deepEqual(
    results.map(({ file, verdict, kind }) => [file, verdict, kind]),
    [
      ["a.yaml", "refused", "CronTab"],
      ["a.yaml", "unreadable", undefined],
      ["b.yaml", "accepted", "CustomResourceDefinition"],
      ["", "notJudged", "Pod"],
      ["", "refused", "CustomResourceDefinition"],
    ],
  );
  assert.equal(results[0].object, undefined);
  const [, detailed] = await validate([cronTabs, cronTab], { details: true });
  assert.equal(detailed.object.spec.replicas, 1);
  assert.match(detailed.stored, /replicas: 1/);
  const whole = await validate(`${cronTabs}---\n${JSON.stringify(cronTab)}`);
  assert.deepEqual(
    whole.map(({ kind, verdict }) => [kind, verdict]),
    [
      ["CustomResourceDefinition", "accepted"],
      ["CronTab", "accepted"],
    ],
  );
});

test("a closed definition is read again for the next request", async () => {
  const engine = await load();
  const definition = await engine.parse(cronTabs);
  const version = definition.version("v1");
  const before = await version.create(cronTab);
  definition.close();
  assert.deepEqual(await version.create(cronTab), before);
});

test("a definition that nobody has is forgotten in the program", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const closed = [];
  const engine = await load();
  const request = engine.request.bind(engine);
  engine.request = (members, options) => {
    if (members.op === "close") closed.push(members.handle);
    return request(members, options);
  };
  await engine.parse(cronTabs);
  for (let i = 0; closed.length === 0 && i < 100; i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal(closed.length, 1);
  const gone = request({ op: "judge", handle: closed[0], objects: "{}" });
  await assert.rejects(gone, /no definitions are open/);
});

test("a request can be cancelled, and the next one does not wait", async () => {
  const objects = Array.from({ length: 4000 }, () => cronTab);
  const begin = async (engine) => (await engine.parse(cronTabs)).version("v1");
  for (const engine of [await load(), await loadWorker()]) {
    const version = await begin(engine);
    const control = new AbortController();
    const began = performance.now();
    const pending = version.createAll(objects, { signal: control.signal });
    setTimeout(() => control.abort(), 100);
    await assert.rejects(pending, { name: "AbortError" });
    const next = await version.create(cronTab);
    const took = performance.now() - began;
    assert.equal(next.verdict, "accepted");
    const whole = performance.now();
    await version.createAll(objects, { signal: new AbortController().signal });
    assert.ok(took < (performance.now() - whole) / 2, `${took} ms`);
    const timeout = version.createAll(objects, { signal: AbortSignal.timeout(50) });
    await assert.rejects(timeout, { name: "TimeoutError" });
    await assert.rejects(version.create(cronTab, { signal: AbortSignal.abort() }), {
      name: "AbortError",
    });
    engine.close();
  }
});

test("unknown options are errors that say what was meant", async () => {
  const version = (await parse(cronTabs)).version("v1");
  const wrong = [
    [
      () => parse(cronTabs, { kubernets: "1.33" }),
      /no option kubernets: did you mean kubernetes\?/,
    ],
    [
      () => version.create(cronTab, { fieldvalidation: "Strict" }),
      /did you mean fieldValidation\?/,
    ],
    [
      () => version.updateStatus(cronTab, cronTab, { dryRun: true }),
      /want fieldValidation or signal/,
    ],
    [() => validate(cronTabs, { detail: true }), /did you mean details\?/],
    [() => parse(cronTabs, "1.33"), /options must be an object, not a string/],
    [() => version.createAll([], { signal: 5 }), /must be an AbortSignal, not a number/],
  ];
  for (const [call, message] of wrong) await assert.rejects(call, { name: "TypeError", message });
});

test("the example of the README judges a folder", async () => {
  const readme = await readFile(new URL("../npm/README.md", import.meta.url), "utf8");
  const [, script] = /^```js\n(\/\/ validate\.js[^]*?)^```$/m.exec(readme);
  assert.ok(script.split("\n").length <= 40);
  const folder = await mkdtemp(`${tmpdir()}/crdsem-`);
  after(() => rm(folder, { recursive: true }));
  await mkdir(`${folder}/node_modules`);
  await symlink(built("npm"), `${folder}/node_modules/crdsem`);
  await writeFile(`${folder}/validate.mjs`, script);
  await mkdir(`${folder}/manifests/crds`, { recursive: true });
  await writeFile(`${folder}/manifests/crds/crontab.yaml`, cronTabs);
  const wrong = { ...cronTab, spec: { ...cronTab.spec, extra: undefined, replicas: 99 } };
  const right = { ...cronTab, spec: { cronSpec: "0 3 * * *", image: "job" } };
  await writeFile(
    `${folder}/manifests/objects.yaml`,
    `${JSON.stringify(right)}\n---\n${JSON.stringify(wrong)}\n`,
  );
  const run = () =>
    spawnSync(process.execPath, ["validate.mjs", "manifests"], {
      cwd: folder,
      encoding: "utf8",
    });
  const refused = run();
  assert.equal(refused.status, 1, refused.stderr);
  assert.match(refused.stdout, /^objects\.yaml:3: error: spec\.replicas: Invalid value: 99/);
  assert.match(refused.stdout, /2 accepted, 1 refused/);
  await writeFile(`${folder}/manifests/objects.yaml`, JSON.stringify(right));
  const accepted = run();
  assert.equal(accepted.status, 0, accepted.stdout + accepted.stderr);
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
  const old = await parse(cronTabs, { kubernetes: "1.30" });
  assert.equal((await old.version("v1").create(cronTab)).verdict, "accepted");
  await assert.rejects(parse(cronTabs, { kubernetes: "1.3" }), CrdsemError);
});

test("a definition is checked, and its update too", async () => {
  const definition = await parse(cronTabs);
  assert.equal((await definition.check()).verdict, "accepted");
  const update = await definition.check(cronTabs.replace("scope: Namespaced", "scope: Cluster"));
  assert.equal(update.verdict, "refused");
  assert.equal(update.request, "update");
  const other = /no definition named crontabs\.stable\.example\.com/;
  await assert.rejects(definition.check(cronTabs.replace("crontabs.stable", "jobs.stable")), other);
  await assert.rejects(definition.check(cronTab), other);
  await assert.rejects(definition.check(": :"), /the stored definition cannot be read: line 1: /);
});

test("what is no definition is an error that says why", async () => {
  await assert.rejects(parse(": :"), /the definition cannot be read: line 1: /);
  await assert.rejects(parse(""), /0 documents/);
  await assert.rejects(
    parse(`kind: List\nitems:\n- ${cronTabs.replaceAll("\n", "\n  ")}`),
    /a list/,
  );
  await assert.rejects(parse({ kind: "Pod", apiVersion: "v1" }), /cannot be read/);
  const definition = await parse(cronTabs);
  assert.throws(() => definition.version("v2"), /no version v2; it has v1/);
  await assert.rejects(definition.version("v1").create(""), /0 objects/);
});

test("the error of a definition that cannot be read has its finding", async () => {
  const mistyped = cronTabs.replace("minimum: 1", "minimum: one");
  const error = await parse(mistyped).catch((error) => error);
  assert.ok(error instanceof CrdsemError);
  assert.equal(error.rule, "STR-002");
  assert.ok(error.line > 0 && error.column > 0 && error.hint);
  const beginning = `the definition cannot be read: line ${error.line}: json: cannot unmarshal`;
  assert.ok(error.message.startsWith(beginning), error.message);
  assert.ok(error.message.endsWith(`; hint: ${error.hint}`), error.message);
  await assert.rejects(parse("a:\n\tb: 1"), { line: 2, column: 2, hint: /by spaces/ });
  const version = (await parse(cronTabs)).version("v1");
  const unreadable = version.update(cronTab, "a:\n\tb: 1");
  await assert.rejects(unreadable, {
    line: 2,
    message: /^the stored object cannot be read: line 2: /,
  });
});

test("documents can be bytes", async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(cronTab));
  for (const crd of [Buffer.from(cronTabs), new TextEncoder().encode(cronTabs).buffer]) {
    const version = (await parse(crd)).version("v1");
    assert.equal((await version.create(bytes)).verdict, "accepted");
    assert.equal((await version.table([bytes])).rows[0][0], "nightly");
  }
  await assert.rejects(parse(Buffer.from([0xff])), /must be UTF-8/);
});

test("wrong arguments are errors that name them", async () => {
  const version = (await parse(cronTabs)).version("v1");
  const wrong = [
    [() => parse(), /must be a text, its bytes or an object, not undefined/],
    [() => parse(Promise.resolve(cronTabs)), /not a Promise/],
    [() => parse(cronTabs, { kubernetes: 1.33 }), /a string, e\.g\. "1\.33", not a number/],
    [() => version.create(5), /not a number/],
    [() => version.update(cronTab), /not undefined/],
    [() => version.table(cronTab), /must be an array, not an Object/],
    [() => load("./crdsem.wasm.gz"), /must be a URL, its bytes or a compiled module, not a string/],
    [() => loadWorker("./crdsem.wasm.gz"), /must be a URL, .* not a string/],
  ];
  for (const [call, message] of wrong) await assert.rejects(call, { name: "TypeError", message });
  const strict = version.create(cronTab, { fieldValidation: "strict" });
  const message = `fieldValidation "strict" is not known: want "Strict", "Warn" or "Ignore"`;
  await assert.rejects(strict, { name: "CrdsemError", message });
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

test("answers that come after the end are ignored", async () => {
  const worker = Object.assign(new EventEmitter(), {
    postMessage: ({ number, start }) => start && worker.emit("message", { number, started: {} }),
    terminate: () => {},
  });
  const transport = await connect(undefined, () => worker);
  const pending = transport.answer("{}");
  transport.close();
  worker.emit("message", { number: 2, answer: "{}" });
  await assert.rejects(pending, /the library was closed/);
});

test("requests fail if their worker does", async (t) => {
  const script = new URL("../dist/npm/worker.js", import.meta.url);
  const throwing = `const { parentPort } = require("worker_threads");
    parentPort.on("message", ({ number, start }) => {
      if (!start) throw new Error("no memory left");
      parentPort.postMessage({ number, started: {} });
    });`;
  const dying = {
    "no memory left": new Worker(throwing, { eval: true }),
    "it ended with exit code 1": new Worker(script),
  };
  t.after(() => Promise.all(Object.values(dying).map((worker) => worker.terminate())));
  for (const [reason, worker] of Object.entries(dying)) {
    const transport = await connect(undefined, () => worker);
    const pending = Array.from({ length: 24 }, () => transport.answer("{}"));
    if (reason.includes("exit code")) worker.terminate();
    const results = await Promise.allSettled(pending);
    const failed = results.filter(({ status }) => status === "rejected");
    assert.ok(failed.length > 0, reason);
    for (const { reason: error } of failed) {
      assert.match(error.message, new RegExp(`the worker failed: .*${reason}`));
    }
    await assert.rejects(transport.answer("{}"), /the worker failed: /);
  }
});

test("a program without memory is replaced by another one", async (t) => {
  t.mock.method(console, "error", () => {});
  t.mock.method(console, "warn", () => {});
  const items = Array.from({ length: 200_000 }, (_, i) => ({ a: i }));
  const large = { ...cronTab, spec: { ...cronTab.spec, items } };
  setFlagsFromString("--wasm-max-mem-pages=1500"); // 98 MB
  after(() => setFlagsFromString("--wasm-max-mem-pages=65536"));
  const engine = await load();
  const version = (await engine.parse(cronTabs)).version("v1");
  await assert.rejects(version.create(large), /the program ended before it answered/);
  assert.equal((await version.create(cronTab)).verdict, "accepted");
});

test("a bundle for browsers needs no options", async () => {
  const folder = await mkdtemp(`${tmpdir()}/crdsem-`);
  after(() => rm(folder, { recursive: true }));
  await mkdir(`${folder}/node_modules`);
  await symlink(built("npm"), `${folder}/node_modules/crdsem`);
  const bundle = (platform, contents) =>
    build({
      stdin: { contents, resolveDir: folder },
      bundle: true,
      format: "esm",
      logLevel: "silent",
      platform,
      write: false,
    });
  for (const contents of [`export { loadWorker, parse } from "crdsem"`, `import "crdsem/worker"`]) {
    const { outputFiles, warnings } = await bundle("browser", contents);
    assert.deepEqual(warnings, []);
    assert.doesNotMatch(outputFiles[0].text, /node:/);
    const [{ text }] = (await bundle("node", contents)).outputFiles;
    assert.match(text, /node:worker_threads/);
  }
});

test("nothing is left on the global object", async () => {
  await load();
  for (const name of ["Go", "fs", "path", "crdsem"]) assert.equal(name in globalThis, false, name);
});
