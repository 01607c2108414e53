/** Returns a state as text for the fragment of a link: its JSON, compressed. */
export async function packed(state) {
  const json = new Blob([JSON.stringify(state)]).stream();
  const bytes = await bytesOf(json.pipeThrough(new CompressionStream("deflate-raw")));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the state in a text that packed returned. Any other text is an error. */
export async function unpacked(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const state = JSON.parse(await limitedText(stream));
  if (!isState(state)) throw new Error("the link holds no state of the page");
  return state;
}

const isText = (value) => typeof value === "string";

const isOneOf = (list) => (value) => list.includes(value);

/** The members of a state, and the values that they may have. */
const members = {
  definition: isText,
  object: isText,
  old: isText,
  kubernetes: isText,
  request: isOneOf(["create", "update", "updateStatus"]),
  validation: isOneOf(["Warn", "Strict", "Ignore"]),
};

/** Reports whether a value is a state. It has a definition and an object; the rest is optional. */
function isState(value) {
  if (!isText(value?.definition) || !isText(value.object)) return false;
  return Object.entries(members).every(
    ([name, allows]) => value[name] === undefined || allows(value[name]),
  );
}

/** A link may not fill the memory: this is more than editors can take. */
const maxText = 32 << 20;

async function limitedText(stream) {
  const chunks = [];
  let size = 0;
  for await (const chunk of iterate(stream)) {
    size += chunk.length;
    if (size > maxText) throw new Error("the link holds too much");
    chunks.push(chunk);
  }
  return new Blob(chunks).text();
}

async function* iterate(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

async function bytesOf(stream) {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
