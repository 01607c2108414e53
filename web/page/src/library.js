// Starts the library before the page's own script, so that the program loads while the editors are
// made.
import { startLibrary } from "./program.js";

globalThis.crdsemLibrary = startLibrary();
globalThis.crdsemLibrary.catch(() => {}); // main.js shows the error
