import { Engine } from "./engine.js";
import { instantiate } from "./instance.js";
import { connect } from "./remote.js";

export { CrdsemError } from "./errors.js";

/**
 * Starts the library in this thread.
 *
 * @param {import("./index.js").Source} [source] the program; that of this package unless given
 */
export async function load(source) {
  return new Engine(await instantiate(source));
}

/**
 * Starts the library in a worker, so that long requests do not block this thread.
 *
 * @param {import("./index.js").Source} [source] the program; that of this package unless given
 */
export async function loadWorker(source) {
  return new Engine(await connect(source));
}

/** @type {Promise<Engine> | undefined} */
let shared;

/** The engine of the functions below. A failed start is tried again. */
function engine() {
  shared ??= load();
  shared.catch(() => (shared = undefined));
  return shared;
}

/**
 * Reads a definition with the library in this thread.
 *
 * @param {import("./index.js").Document} crd
 * @param {import("./index.js").ParseOptions} [options]
 */
export async function parse(crd, options) {
  return (await engine()).parse(crd, options);
}

/**
 * Judges documents of any kind with the library in this thread.
 *
 * @param {any} documents
 * @param {import("./index.js").ValidateOptions} [options]
 */
export async function validate(documents, options) {
  return (await engine()).validate(documents, options);
}

/**
 * Returns the rule of the specification with an id, e.g. "PRN-003".
 *
 * @param {string} id
 * @returns {Promise<import("./index.js").Rule | undefined>}
 */
export async function explain(id) {
  const { default: rules } = await import("./rules.js");
  return rules.find((rule) => rule.id.toLowerCase() === id.toLowerCase());
}
