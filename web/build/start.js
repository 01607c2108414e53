import { setTimeout } from "node:timers/promises";
import { fileOf, kinds, readNumber, sectionsOf, signed, unsigned } from "./wasmfile.js";
import { web } from "./run.js";

/**
 * Starts a program and returns a program that goes on from there: its memory and its globals begin
 * as the start leaves them. A page needs not wait for Go's start then.
 *
 * It starts alike each time: the clock and the random numbers are not those of this machine. So
 * Go's seeds are known, by which it protects its maps from keys that were chosen to be slow. A page
 * can bear that: the texts of a shared link at worst make a verdict slow in one tab, and the page
 * gives it up at the next change. A server cannot.
 *
 * @param {Buffer} program
 * @returns {Promise<Buffer>}
 */
export async function started(program) {
  const sections = sectionsOf(program);
  const exports = section(sections, kinds.exports);
  const own = exports.body;
  exports.body = withGlobals(own);
  const { instance, snapshot } = await run(fileOf(sections));
  const memory = Buffer.from(instance.exports.mem.buffer);
  exports.body = own;
  section(sections, kinds.memory).body = memoryOf(memory.length);
  section(sections, kinds.globals).body = globalsOf(instance);
  section(sections, kinds.data).body = dataOf(memory);
  sections.push({ kind: kinds.custom, body: named("started", JSON.stringify(snapshot)) });
  return fileOf(sections);
}

/** Runs a program until it waits. Returns its instance and what it knows of JavaScript. */
async function run(file) {
  const { newScope } = await import(`${web}dist/npm/scope.js`);
  const { firstValues } = await import(`${web}dist/npm/started.js`);
  const { default: wasmExec } = await import(`${web}dist/npm/wasm_exec.js`);
  const scope = newScope(sameEachTime());
  const Go = wasmExec(scope);
  const go = new Go();
  const numbers = new Map();
  const wrap = go._makeFuncWrapper;
  go._makeFuncWrapper = (id) => {
    const wrapper = wrap.call(go, id);
    numbers.set(wrapper, id);
    return wrapper;
  };
  const { instance } = await WebAssembly.instantiate(file, go.importObject);
  go.run(instance);
  while (!scope.crdsem || go._scheduledTimeouts.size > 0) {
    if (go.exited) throw new Error("the program ended when it was started");
    await setTimeout(1);
  }
  const first = firstValues(go, scope).length;
  const functions = Object.entries(scope.crdsem).map(([name, value]) => [name, numbers.get(value)]);
  const snapshot = {
    functions: Object.fromEntries(functions),
    values: go._values.slice(first).map((value) => pathOf(scope, value)),
    counts: go._goRefCounts.slice(first),
  };
  return { instance, snapshot };
}

/** Returns a clock near its beginning, which every later clock is ahead of, and other constants. */
function sameEachTime() {
  let now = 1000;
  return {
    performance: { now: () => (now += 0.001) },
    Date: class {
      static now = () => 0;
      getTime = () => now;
    },
    crypto: {
      getRandomValues: (bytes) => bytes.forEach((_, i) => (bytes[i] = (i * 151 + 89) % 256)),
    },
  };
}

/** Returns where a value is in a scope: a member, or a member of one. */
function pathOf(scope, value) {
  for (const [name, member] of Object.entries(scope)) {
    if (member === value) return name;
    for (const [inner, other] of Object.entries(member)) {
      if (other === value) return `${name}.${inner}`;
    }
  }
  throw new Error(`the program refers to a value that is not in its scope: ${value}`);
}

function section(sections, kind) {
  return sections.find((section) => section.kind === kind);
}

/**
 * The types of the globals of a program of Go: its stack pointer, the context of a closure, the
 * goroutine, four results, and whether it pauses.
 */
const globals = ["i32", "i64", "i64", "i64", "i64", "i64", "i64", "i32"];

/** Adds the globals to the exports. */
function withGlobals(exports) {
  const { number: count, next } = readNumber(exports, 0);
  const added = globals.map((_, i) => [...named(`global${i}`), 0x03, i]);
  return Buffer.from([
    ...unsigned(count + globals.length),
    ...exports.subarray(next),
    ...added.flat(),
  ]);
}

/** Returns the section of globals that begin with the values of an instance. */
function globalsOf({ exports }) {
  const bytes = globals.map((type, i) => {
    const [code, constant] = type === "i32" ? [0x7f, 0x41] : [0x7e, 0x42];
    return [code, 0x01, constant, ...signed(exports[`global${i}`].value), 0x0b];
  });
  return Buffer.from([...unsigned(globals.length), ...bytes.flat()]);
}

/** Returns the section of a memory with so many bytes. It may grow. */
function memoryOf(bytes) {
  return Buffer.from([1, 0x00, ...unsigned(bytes / 65536)]);
}

/** Returns the section of data that writes a memory as a whole. */
function dataOf(memory) {
  const head = [1, 0x00, 0x41, ...signed(0), 0x0b, ...unsigned(memory.length)];
  return Buffer.concat([Buffer.from(head), memory]);
}

/** Returns a name and what follows it. */
function named(name, rest = "") {
  return Buffer.from([...unsigned(name.length), ...Buffer.from(name + rest)]);
}
