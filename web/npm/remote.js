import { listen } from "./messages.js";
import { compiled } from "./source.js";

/**
 * Starts the program in a worker.
 *
 * @param {import("./index.js").Source} [source]
 * @param {() => any} [newWorker] makes a worker that runs worker.js
 * @returns {Promise<import("./index.js").Transport & {restart(): Promise<void>}>}
 */
export async function connect(source, newWorker = packagedWorker) {
  const module = await compiled(source);
  let worker = await startWorker(module, newWorker);
  return {
    hello: worker.hello,
    answer: (line) => worker.ask({ line }),
    async restart() {
      worker.end("the worker was restarted");
      worker = await startWorker(module, newWorker);
    },
    close: () => worker.end("the library was closed"),
  };
}

/** Returns a worker that runs worker.js. Node has no global Worker. */
async function packagedWorker() {
  if (globalThis.Worker) {
    return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  }
  const { Worker: Thread } = await import("node:worker_threads");
  return new Thread(new URL("./worker.js", import.meta.url));
}

/** Starts a worker and waits until it answers. */
async function startWorker(module, newWorker) {
  const worker = await newWorker();
  const waiting = new Map();
  let count = 0;
  let ended;
  const end = (reason) => {
    ended = reason;
    worker.terminate();
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  };
  listen(worker, (message) => {
    const { resolve, reject } = waiting.get(message.number);
    waiting.delete(message.number);
    if (message.error !== undefined) reject(new Error(message.error));
    else resolve(message.hello ?? message.answer);
  });
  worker.onerror = (event) => end(`the worker failed: ${event.message ?? event}`);
  const ask = (message) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(new Error(ended));
      const number = ++count;
      waiting.set(number, { resolve, reject });
      worker.postMessage({ number, ...message });
    });
  const hello = await ask({ start: { source: module } });
  return { hello, ask, end };
}
