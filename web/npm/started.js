/** The custom section of a program that was started when it was built. It has a Snapshot, as JSON. */
export const section = "started";

/**
 * What a started program knows of JavaScript.
 *
 * @typedef {object} Snapshot
 * @property {Record<string, number>} functions the program's functions: their numbers by name
 * @property {string[]} values where in the scope the values are that it refers to, e.g. "fs.constants"
 * @property {number[]} counts how often it refers to each
 */

/** What Go's glue numbers before all other values. */
export function firstValues(go, scope) {
  return [NaN, 0, null, true, false, scope, go];
}

/**
 * Lets a started program go on. Its memory is as it was; Go's glue gets its own state back.
 *
 * @param {any} go an object of the glue's class
 * @param {WebAssembly.Instance} instance
 * @param {any} scope the global object that the glue has; the program's functions are set there
 * @param {Snapshot} snapshot
 */
export function resume(go, instance, scope, { functions, values, counts }) {
  const wrapped = Object.entries(functions).map(([name, id]) => [name, go._makeFuncWrapper(id)]);
  scope.crdsem = Object.fromEntries(wrapped);
  const first = firstValues(go, scope);
  go._values = [...first, ...values.map((path) => valueAt(scope, path))];
  go._goRefCounts = [...first.fill(Infinity), ...counts];
  go._ids = new Map(go._values.map((value, id) => [value, id]).slice(1)); // without NaN
  go._idPool = [];
  go._inst = instance;
  go.mem = new DataView(instance.exports.mem.buffer);
  go.exited = false;
}

/** Returns the value at a path, e.g. "fs.constants". */
function valueAt(scope, path) {
  return path.split(".").reduce((value, name) => value[name], scope);
}
