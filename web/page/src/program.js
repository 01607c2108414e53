import { Engine } from "crdsem/engine.js";
import { connect } from "crdsem/remote.js";
import workerSource from "worker-source";

/**
 * Starts the library in a worker. A page that was opened as a file cannot fetch: there the program
 * comes as a script. Paths are relative to the folder of the page.
 *
 * @param {string} folder the way to the folder with the program, e.g. "./"
 * @param {() => void} onRun is called when the worker runs
 * @param {(progress: {loaded: number, total?: number}) => void} [onProgress] is called while the
 *   program is loaded, with the bytes
 */
export async function startLibrary(folder = "./", onRun = () => {}, onProgress) {
  const source =
    location.protocol === "file:"
      ? scripted(`${folder}crdsem.wasm.js`)
      : new URL(`${folder}crdsem.wasm.gz`, document.baseURI);
  const began = performance.now();
  const remote = await connect(source, () => newWorker(onRun), onProgress);
  performance.measure("start", { start: began });
  return { engine: new Engine(remote), restart: () => remote.restart() };
}

/** Returns a worker that says first that it runs. */
function newWorker(onRun) {
  const source = [`postMessage("");`, workerSource];
  const url = URL.createObjectURL(new Blob(source, { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  const first = (event) => {
    event.stopImmediatePropagation();
    onRun();
  };
  worker.addEventListener("message", first, { once: true });
  return worker;
}

/** Loads a script that sets globalThis.crdsemProgram to the program, in base64. */
async function scripted(src) {
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = src;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${src} does not load`));
    document.head.append(script);
  });
  const binary = atob(globalThis.crdsemProgram);
  delete globalThis.crdsemProgram;
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
