import { newScope } from "./scope.js";
import { compiled } from "./source.js";
import wasmExec from "./wasm_exec.js";

/**
 * Starts the program in this thread.
 *
 * @param {import("./index.js").Source} [source]
 * @returns {Promise<import("./index.js").Transport>}
 */
export async function instantiate(source) {
  const module = await compiled(source);
  let program = await run(module);
  let closed = false;
  return {
    hello: JSON.parse(program.hello()),
    async answer(line, signal) {
      if (closed) throw new Error("the library was closed");
      signal?.throwIfAborted();
      program ??= await run(module);
      const asked = program;
      try {
        return await asked.ask(line, signal);
      } catch (error) {
        // Its memory may be broken: the next request starts another one.
        if (!signal?.aborted && program === asked) program = undefined;
        throw error;
      }
    },
    close() {
      closed = true;
      program = undefined;
    },
  };
}

const ended = "the program ended before it answered: it may have run out of memory";

/** Starts an instance of the program. */
async function run(module) {
  const scope = newScope();
  const Go = wasmExec(scope);
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  const waiting = new Set(); // what ends requests if the program does
  const end = () => waiting.forEach((fail) => fail(new Error(ended)));
  go.run(instance).then(end, end); // ends with the program, which waits for requests
  if (go.exited) throw new Error(ended);
  const { ask, hello } = scope.crdsem;
  return { hello, ask: (line, signal) => asked(ask, waiting, line, signal) };
}

/** Sends a request. A signal ends it: at once here, and soon in the program. */
function asked(ask, waiting, line, signal) {
  let stop;
  let onAbort;
  const answer = new Promise((resolve, reject) => {
    waiting.add(reject);
    stop = () => waiting.delete(reject);
    const cancel = ask(line, signal !== undefined, resolve);
    onAbort = () => {
      reject(signal.reason); // first: the program may answer while it is told
      cancel();
    };
    signal?.addEventListener("abort", onAbort);
  });
  return answer.finally(() => {
    stop();
    signal?.removeEventListener("abort", onAbort);
  });
}
