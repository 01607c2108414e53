// Reads and writes WebAssembly files, as far as the start of a program needs it.

/** The kinds of sections. */
export const kinds = { custom: 0, memory: 5, globals: 6, exports: 7, data: 11 };

const header = Buffer.from("\0asm\x01\0\0\0", "latin1");

/**
 * Returns the sections of a file. They share its bytes.
 *
 * @param {Buffer} file
 */
export function sectionsOf(file) {
  const sections = [];
  for (let at = header.length; at < file.length;) {
    const kind = file[at];
    const { number: length, next } = readNumber(file, at + 1);
    sections.push({ kind, body: file.subarray(next, next + length) });
    at = next + length;
  }
  return sections;
}

/** Returns the file of sections. */
export function fileOf(sections) {
  const parts = sections.flatMap(({ kind, body }) => [
    Buffer.from([kind, ...unsigned(body.length)]),
    body,
  ]);
  return Buffer.concat([header, ...parts]);
}

/** Reads an unsigned number. */
export function readNumber(bytes, at) {
  let number = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++];
    number += (byte & 0x7f) * factor;
    if (byte < 0x80) return { number, next: at };
  }
}

/** Returns the bytes of an unsigned number. */
export function unsigned(number) {
  const bytes = [];
  for (; number >= 0x80; number = Math.floor(number / 128)) bytes.push((number & 0x7f) | 0x80);
  return [...bytes, number];
}

/** Returns the bytes of a signed number of up to 64 bits. */
export function signed(number) {
  let rest = BigInt(number);
  const bytes = [];
  for (; rest < -64n || rest >= 64n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest & 0x7fn)];
}
