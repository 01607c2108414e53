/** Returns a global object for Go's glue, so that nothing else sees what the program sets there. */
export function newScope() {
  const { Object, Array, Uint8Array, Date, crypto, performance, TextEncoder, TextDecoder } =
    globalThis;
  const builtIn = {
    Object,
    Array,
    Uint8Array,
    Date,
    crypto,
    performance,
    TextEncoder,
    TextDecoder,
  };
  return { ...builtIn, fs: emptyFileSystem() };
}

/**
 * Returns a file system without files. Go reads time zones from the program where it finds no file.
 * What Go writes is a report of its own end.
 */
function emptyFileSystem() {
  const decoder = new TextDecoder();
  let rest = ""; // of a line that Go has not ended
  const write = (bytes) => {
    const lines = (rest + decoder.decode(bytes)).split("\n");
    rest = lines.pop();
    if (lines.length > 0) console.error(lines.join("\n"));
    return bytes.length;
  };
  return {
    constants: { O_WRONLY: -1, O_RDWR: -1, O_CREAT: -1, O_TRUNC: -1, O_APPEND: -1, O_EXCL: -1 },
    writeSync: (_file, bytes) => write(bytes),
    write: (_file, bytes, _offset, _length, _position, done) => done(null, write(bytes)),
    open: (_path, _flags, _mode, done) =>
      done(Object.assign(new Error("no such file"), { code: "ENOENT" })),
  };
}
