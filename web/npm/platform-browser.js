// What platform-node.js has, for browsers.

/** Returns the bytes of a file, where a page may read one. */
export async function readFile(url) {
  return (await fetch(url)).arrayBuffer();
}

/** The other end of a worker, in the worker. */
export const port = globalThis;

/** Returns a worker that runs worker.js. */
export function newWorker() {
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}
