// Workers of Node are no event targets.

/**
 * Calls a function with the data of each message.
 *
 * @param {any} port
 * @param {(data: any) => void} handle
 */
export function onMessage(port, handle) {
  if (port.on) port.on("message", handle);
  else port.addEventListener("message", (event) => handle(event.data));
}

/**
 * Calls a function with the reason when a worker fails. Only Node says that one has ended.
 *
 * @param {any} worker
 * @param {(reason: string) => void} handle
 */
export function onFailure(worker, handle) {
  if (worker.on) {
    worker.on("error", (error) => handle(error?.message ?? String(error)));
    worker.on("exit", (code) => handle(`it ended with exit code ${code}`));
  } else {
    worker.addEventListener("error", (event) => handle(event.message ?? "it does not load"));
  }
}
