/**
 * Returns the text of a document. A string is YAML, or JSON if it starts with "{". Any other value
 * is written as JSON.
 *
 * @param {string | object} document
 */
export function documentText(document) {
  return typeof document === "string" ? document : JSON.stringify(document);
}
