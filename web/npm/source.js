import { readFile } from "#platform";
import { kindOf } from "./text.js";

/**
 * Returns the compiled program.
 *
 * @param {import("./index.js").Source} [source]
 * @param {(progress: {loaded: number, total?: number}) => void} [onProgress] is called now and then
 *   while the program is loaded, with the bytes
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compiled(
  source = new URL("./crdsem.wasm.gz", import.meta.url),
  onProgress = undefined,
) {
  if (source instanceof WebAssembly.Module) return source;
  const body = await bytesOf(checkedSource(source), onProgress);
  const headers = { "content-type": "application/wasm" };
  return WebAssembly.compileStreaming(new Response(await unzipped(body), { headers }));
}

/** Returns a source. Throws if it is something else, e.g. a path. */
export function checkedSource(source) {
  const types = [URL, ArrayBuffer, WebAssembly.Module];
  const known = ArrayBuffer.isView(source) || types.some((type) => source instanceof type);
  if (known || source === undefined) return source;
  throw new TypeError(
    `the program must be a URL, its bytes or a compiled module, not ${kindOf(source)}: ` +
      `write new URL("…", import.meta.url) for a file`,
  );
}

/** Returns the bytes of a source as a stream. */
async function bytesOf(source, onProgress) {
  if (!(source instanceof URL)) return streamOf(source);
  if (source.protocol === "file:") return streamOf(await readFile(source));
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source}: ${response.status} ${response.statusText}`);
  if (!onProgress) return response.body;
  // The length of what a server compresses is not that of the bytes that arrive here.
  const isWhole = !response.headers.get("content-encoding");
  const total = (isWhole && Number(response.headers.get("content-length"))) || undefined;
  return response.body.pipeThrough(counter(total, onProgress));
}

/** The most that a stream grows until its progress is told, in bytes. */
const progressStep = 100_000;

/** Returns a stream that tells how many bytes went through it. */
function counter(total, onProgress) {
  let loaded = 0;
  let told = -progressStep;
  const tell = () => {
    told = loaded;
    onProgress({ loaded, total });
  };
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      loaded += chunk.length;
      if (loaded - told >= progressStep) tell();
    },
    flush: tell,
  });
}

/** Returns bytes as a stream, in one piece: pieces cost time. */
function streamOf(source) {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

/**
 * Unzips a stream, unless it is not zipped: some servers send a file that ends in .gz with a
 * Content-Encoding, and the browser has unzipped it.
 */
async function unzipped(stream) {
  const reader = stream.getReader();
  const { value: first } = await reader.read();
  const whole = new ReadableStream({
    start(controller) {
      if (first) controller.enqueue(first);
    },
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const isZipped = first?.[0] === 0x1f && first?.[1] === 0x8b;
  return isZipped ? whole.pipeThrough(new DecompressionStream("gzip")) : whole;
}
