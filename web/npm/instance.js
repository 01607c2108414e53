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
    async answer(line) {
      if (closed) throw new Error("the library was closed");
      program ??= await run(module);
      try {
        const answer = program.answer(line);
        if (answer === undefined) throw new Error(ended);
        return answer;
      } catch (error) {
        program = undefined; // its memory may be broken: the next request starts another one
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
  go.run(instance); // ends with the program, which waits for requests
  if (go.exited) throw new Error(ended);
  return scope.crdsem;
}
