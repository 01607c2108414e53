// What Node has and other platforms have not. Its counterpart is platform-browser.js.
import { parentPort, Worker } from "node:worker_threads";

export { readFile } from "node:fs/promises";

/** The other end of a worker, in the worker. */
export const port = parentPort;

/** Returns a worker that runs worker.js. */
export function newWorker() {
  return new Worker(new URL("./worker.js", import.meta.url));
}
