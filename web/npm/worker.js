import { instantiate } from "./instance.js";
import { listen } from "./messages.js";
import { compiled } from "./source.js";

/**
 * Serves the requests of remote.js. The first message has the program, and its answer the compiled
 * one; every other message has a request with its number.
 *
 * @param {any} port
 */
function serve(port) {
  let transport;
  listen(port, async ({ start, number, line }) => {
    try {
      if (start) {
        const { source } = start;
        const module = await compiled(typeof source === "string" ? new URL(source) : source);
        transport = await instantiate(module);
        port.postMessage({ number, started: { hello: transport.hello, module } });
      } else {
        port.postMessage({ number, answer: await transport.answer(line) });
      }
    } catch (error) {
      port.postMessage({ number, error: String(error?.message ?? error) });
    }
  });
}

if (globalThis.postMessage) serve(globalThis);
else import("node:worker_threads").then(({ parentPort }) => serve(parentPort));
