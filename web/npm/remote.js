import { newWorker as packagedWorker } from "#platform";
import { onFailure, onMessage } from "./messages.js";
import { checkedSource } from "./source.js";

/**
 * Starts the program in a worker.
 *
 * @param {import("./index.js").Source | Promise<import("./index.js").Source>} [source]
 * @param {() => any} [newWorker] makes a worker that runs worker.js
 * @param {(progress: {loaded: number, total?: number}) => void} [onProgress] is called while the
 *   program is loaded, with the bytes
 * @returns {Promise<import("./index.js").Transport & {restart(): Promise<void>}>}
 */
export async function connect(source, newWorker = packagedWorker, onProgress = () => {}) {
  let worker = await startWorker(source, newWorker, onProgress);
  const { hello, module } = worker;
  return {
    hello,
    answer: (line, signal) => worker.ask({ line }, signal),
    async restart() {
      worker.end("the worker was restarted");
      worker = await startWorker(module, newWorker);
    },
    close: () => worker.end("the library was closed"),
  };
}

/**
 * Starts a worker and waits until it answers. The worker loads and compiles the program, so that
 * this thread is free.
 */
async function startWorker(source, newWorker, onProgress = () => {}) {
  const worker = newWorker();
  const waiting = new Map();
  let count = 0;
  let ended;
  const end = (reason) => {
    if (ended) return;
    ended = reason;
    worker.terminate();
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  };
  onMessage(worker, (message) => {
    if (message.progress) return onProgress(message.progress);
    const asked = waiting.get(message.number);
    if (!asked) return; // Node delivers messages after the end
    waiting.delete(message.number);
    if (message.error !== undefined) asked.reject(new Error(message.error));
    else asked.resolve(message.started ?? message.answer);
  });
  onFailure(worker, (reason) => end(`the worker failed: ${reason}`));
  const ask = (message, signal) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(new Error(ended));
      if (signal?.aborted) return reject(signal.reason);
      const number = ++count;
      const cancel = () => {
        worker.postMessage({ cancel: number });
        waiting.delete(number);
        reject(signal.reason);
      };
      const settled = (settle) => (value) => {
        signal?.removeEventListener("abort", cancel);
        settle(value);
      };
      waiting.set(number, { resolve: settled(resolve), reject: settled(reject) });
      signal?.addEventListener("abort", cancel, { once: true });
      worker.postMessage({ number, cancellable: signal !== undefined, ...message });
    });
  try {
    return {
      ...(await ask({ start: { source: sendable(checkedSource(await source)) } })),
      ask,
      end,
    };
  } catch (error) {
    end(error.message);
    throw error;
  }
}

/** Returns a source as a message can have it: a URL as its text. */
function sendable(source) {
  return source instanceof URL ? source.href : source;
}
