import { listen } from "./messages.js";

/**
 * Starts the program in a worker.
 *
 * @param {import("./index.js").Source | Promise<import("./index.js").Source>} [source]
 * @param {() => any} [newWorker] makes a worker that runs worker.js
 * @returns {Promise<import("./index.js").Transport & {restart(): Promise<void>}>}
 */
export async function connect(source, newWorker = packagedWorker) {
  let worker = await startWorker(source, newWorker);
  const { hello, module } = worker;
  return {
    hello,
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

/**
 * Starts a worker and waits until it answers. The worker loads and compiles the program, so that
 * this thread is free.
 */
async function startWorker(source, newWorker) {
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
    else resolve(message.started ?? message.answer);
  });
  worker.onerror = (event) => end(`the worker failed: ${event.message ?? event}`);
  const ask = (message) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(new Error(ended));
      const number = ++count;
      waiting.set(number, { resolve, reject });
      worker.postMessage({ number, ...message });
    });
  try {
    return { ...(await ask({ start: { source: sendable(await source) } })), ask, end };
  } catch (error) {
    end(error.message);
    throw error;
  }
}

/** Returns a source as a message can have it: a URL as its text. */
function sendable(source) {
  return source instanceof URL ? source.href : source;
}
