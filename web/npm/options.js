import { kindOf } from "./text.js";

/**
 * Returns options, after a check: an option that is not known is an error, with the one that was
 * meant.
 *
 * @param {any} options
 * @param {string[]} known
 */
export function checkedOptions(options, known) {
  if (options === undefined) return {};
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`options must be an object, not ${kindOf(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const meant = known.find((other) => isLike(name, other));
    const hint = meant ? `did you mean ${meant}?` : `want ${listed(known)}`;
    throw new TypeError(`there is no option ${name}: ${hint}`);
  }
  if ("signal" in options && options.signal !== undefined) checkSignal(options.signal);
  return options;
}

function checkSignal(signal) {
  if (typeof signal?.addEventListener === "function") return;
  throw new TypeError(`signal must be an AbortSignal, not ${kindOf(signal)}`);
}

const listed = (names) =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : names[0];

/** Reports whether a name is another one with at most two letters added, left out or changed. */
function isLike(name, other) {
  const a = name.toLowerCase();
  const b = other.toLowerCase();
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length] <= 2;
}
