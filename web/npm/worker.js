import { instantiate } from "./instance.js";
import { listen } from "./messages.js";

/**
 * Serves the requests of remote.js. The first message has the program; every other one has a
 * request with its number.
 *
 * @param {any} port
 */
function serve(port) {
  let transport;
  listen(port, async ({ start, number, line }) => {
    try {
      if (start) {
        transport = await instantiate(start.source);
        port.postMessage({ number, hello: transport.hello });
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
