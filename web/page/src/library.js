// Starts the library before the page's own script, which makes the editors: a page that is busy would
// hold the worker up until it runs.
import { startLibrary } from "./program.js";

/** How much of the program is loaded; the page's own script shows it. */
globalThis.crdsemProgress = { loaded: 0 };

globalThis.crdsemLibrary = startLibrary("./", startPage, (progress) => {
  Object.assign(globalThis.crdsemProgress, progress);
  globalThis.crdsemProgress.onProgress?.();
});
globalThis.crdsemLibrary.catch(startPage); // main.js shows the error

let started = false;

/** Adds the page's own script, once. It needs the whole document. */
function startPage() {
  if (started) return;
  started = true;
  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", addScript, { once: true });
  } else {
    addScript();
  }
}

function addScript() {
  const script = document.createElement("script");
  script.src = "page.js";
  document.head.append(script);
}
