/**
 * Calls a function with the data of each message. Workers of Node are no event targets.
 *
 * @param {any} port
 * @param {(data: any) => void} handle
 */
export function listen(port, handle) {
  if (port.on) port.on("message", handle);
  else port.addEventListener("message", (event) => handle(event.data));
}
