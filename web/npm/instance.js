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
        return program.answer(line);
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

/** Runs the program. Go's glue gets a global object of its own, so that nothing else sees it. */
async function run(module) {
  const { Object, Array, Uint8Array, Date, crypto, performance, TextEncoder, TextDecoder } =
    globalThis;
  const builtIn = {
    Object,
    Array,
    Uint8Array,
    Date,
    crypto,
    performance,
    TextEncoder,
    TextDecoder,
  };
  const scope = { ...builtIn, fs: emptyFileSystem() };
  const Go = wasmExec(scope);
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  go.run(instance); // ends with the program, which waits for requests
  return scope.crdsem;
}

/**
 * Returns a file system without files. Go reads time zones from the program where it finds no file.
 * What Go writes is a report of its own end.
 */
function emptyFileSystem() {
  const decoder = new TextDecoder();
  const write = (bytes) => {
    console.error(decoder.decode(bytes));
    return bytes.length;
  };
  return {
    constants: { O_WRONLY: -1, O_RDWR: -1, O_CREAT: -1, O_TRUNC: -1, O_APPEND: -1, O_EXCL: -1 },
    writeSync: (_file, bytes) => write(bytes),
    write: (_file, bytes, _offset, _length, _position, done) => done(null, write(bytes)),
    open: (_path, _flags, _mode, done) =>
      done(Object.assign(new Error("no such file"), { code: "ENOENT" })),
  };
}
