import { port } from "#platform";
import { instantiate } from "./instance.js";
import { onMessage } from "./messages.js";
import { compiled } from "./source.js";

/**
 * Serves the requests of remote.js. The first message has the program, and its answer the compiled
 * one; every other message has a request with its number, or cancels one.
 */
function serve() {
  let transport;
  const cancels = new Map(); // of the requests that can be cancelled, by their numbers
  onMessage(port, async ({ start, number, line, cancellable, cancel }) => {
    if (cancel) return cancels.get(cancel)?.abort();
    try {
      if (start) {
        const { source } = start;
        const from = typeof source === "string" ? new URL(source) : source;
        const module = await compiled(from, (progress) => port.postMessage({ progress }));
        transport = await instantiate(module);
        port.postMessage({ number, started: { hello: transport.hello, module } });
      } else {
        if (cancellable) cancels.set(number, new AbortController());
        const answer = await transport.answer(line, cancels.get(number)?.signal);
        port.postMessage({ number, answer });
      }
    } catch (error) {
      port.postMessage({ number, error: String(error?.message ?? error) });
    } finally {
      cancels.delete(number);
    }
  });
}

serve();
