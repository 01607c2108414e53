import { port } from "#platform";
import { instantiate } from "./instance.js";
import { onMessage } from "./messages.js";
import { compiled } from "./source.js";

/**
 * Serves the requests of remote.js. The first message has the program, and its answer the compiled
 * one; every other message has a request with its number.
 */
function serve() {
  let transport;
  onMessage(port, async ({ start, number, line }) => {
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

serve();
