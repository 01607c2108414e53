// When the page asks for verdicts, and what happens while its worker is started again.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Judge } from "../page/src/judge.js";

let now = 0;
beforeEach(() => {
  now = 0;
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => now);
  mock.method(performance, "measure", () => {});
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** Lets time pass, and what waits for it. */
async function pass(milliseconds) {
  now += milliseconds;
  mock.timers.tick(milliseconds);
  await setImmediate();
}

/** A library whose requests and restarts a test settles, with a judge of a page that records. */
function setUp() {
  const requests = [];
  const restarts = [];
  const shown = [];
  const settled = (list) => (value) =>
    new Promise((resolve, reject) => list.push({ value, resolve, reject }));
  const library = { engine: { request: settled(requests) }, restart: settled(restarts) };
  let object = "";
  const judge = new Judge(library, {
    state: () => ({ object }),
    asking: () => {},
    answered: (answer) => shown.push(answer),
    failed: (error) => shown.push(error.message),
  });
  const type = (text) => {
    object = text;
    judge.changed();
    return pass(600);
  };
  return { requests, restarts, shown, type };
}

test("changes while the worker starts again wait for it", async () => {
  const { requests, restarts, shown, type } = setUp();
  await type("slow");
  await pass(5000);
  await type("changed");
  assert.equal(restarts.length, 1);
  requests[0].reject(new Error("the worker was restarted"));
  await type("changed again");
  assert.equal(requests.length, 1, "a request to the worker that has ended");
  restarts[0].resolve();
  await pass(0);
  assert.equal(requests[1].value.objects, "changed again");
  requests[1].resolve("answer");
  await pass(0);
  assert.deepEqual(shown, ["answer"]);
});

test("a worker that does not start is started again at the next change", async () => {
  const { requests, restarts, shown, type } = setUp();
  await type("slow");
  await pass(5000);
  await type("changed");
  restarts[0].reject(new Error("no memory"));
  await pass(0);
  assert.deepEqual(shown, ["no memory"]);
  await type("changed again");
  assert.equal(restarts.length, 2);
  restarts[1].resolve();
  await pass(0);
  assert.equal(requests.at(-1).value.objects, "changed again");
});
