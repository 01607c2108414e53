/**
 * Makes an element. Properties that start with "on" are listeners; others are attributes, left out
 * if they are undefined or false. Children are elements, texts, or lists of both.
 */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  const present = children.flat(3).filter((child) => child !== undefined && child !== null);
  element.append(...present);
  return element;
}

/** Returns the element with an id. */
export const byId = (id) => document.getElementById(id);

/** Returns "1 thing" or "2 things". */
export const count = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

/** Returns an element with the parts of a text between backquotes as code. */
export function prose(text) {
  const parts = text.split("`");
  return parts.map((part, i) => (i % 2 ? h("code", {}, part) : part));
}
