/** Returns a state as text for the fragment of a link: its JSON, compressed. */
export async function packed(state) {
  const json = new Blob([JSON.stringify(state)]).stream();
  const bytes = await bytesOf(json.pipeThrough(new CompressionStream("deflate-raw")));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the state in a text that packed returned. A malformed text is an error. */
export async function unpacked(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await limitedText(stream));
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
