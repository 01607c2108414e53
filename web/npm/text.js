const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Returns the text of a document. A string is YAML, or JSON if it starts with "{". Bytes are such a
 * text in UTF-8. Any other object is written as JSON.
 *
 * @param {import("./index.js").Document} document
 */
export function documentText(document) {
  if (typeof document === "string") return document;
  if (document instanceof ArrayBuffer || ArrayBuffer.isView(document)) return decoded(document);
  const isPromise = typeof document?.then === "function";
  if (typeof document === "object" && document && !isPromise) return JSON.stringify(document);
  throw new TypeError(`a document must be a text, its bytes or an object, not ${kindOf(document)}`);
}

/**
 * Returns the texts of documents.
 *
 * @param {import("./index.js").Document[]} documents
 */
export function documentTexts(documents) {
  if (Array.isArray(documents)) return documents.map((document) => documentText(document));
  throw new TypeError(`documents must be an array, not ${kindOf(documents)}`);
}

/**
 * Returns texts of any number of documents with their names, which are empty for those without.
 *
 * @param {any} documents
 */
export function namedTexts(documents) {
  const list = Array.isArray(documents) ? documents : [documents];
  return list.map((document) =>
    isNamed(document)
      ? { name: document.file, text: documentText(document.text) }
      : { name: "", text: documentText(document) },
  );
}

/** Reports whether a value is a text with the name of its file: objects have an apiVersion. */
const isNamed = (document) =>
  typeof document?.file === "string" && "text" in document && !("apiVersion" in document);

/** Returns the text of a minor. A number could not tell 1.3 from 1.30. */
export function minorText(kubernetes = "") {
  if (typeof kubernetes === "string") return kubernetes;
  throw new TypeError(`kubernetes must be a string, e.g. "1.33", not ${kindOf(kubernetes)}`);
}

function decoded(bytes) {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new TypeError("the bytes of a document must be UTF-8");
  }
}

/** Returns the kind of a value for an error, e.g. "a number". */
export function kindOf(value) {
  if (value === null || value === undefined) return String(value);
  const name = typeof value === "object" ? (value.constructor?.name ?? "object") : typeof value;
  return `${/^[aeio]/i.test(name) ? "an" : "a"} ${name}`;
}
