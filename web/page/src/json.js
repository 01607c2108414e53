/**
 * Returns JSON with line breaks and indentation. It works on the text, so that numbers keep their
 * spelling: 1.0 stays 1.0, and integers beyond 2^53 stay exact.
 *
 * @param {string} json
 */
export function indented(json) {
  let out = "";
  let depth = 0;
  const newline = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === "}" || token === "]") {
      depth--;
      out += /[{[]$/.test(out) ? token : newline() + token;
    } else {
      if (/[{[]$/.test(out)) out += newline();
      out += token === ":" ? ": " : token;
      if (token === "{" || token === "[") depth++;
      if (token === ",") out += newline();
    }
  }
  return out;
}
