// Changing the bytes of snapshots, for tests.

const MASK = (1n << 64n) - 1n;

/** The checksum of docs/format.md. */
function checksum(body: Uint8Array): bigint {
  const padded = new Uint8Array(Math.floor(body.length / 32) * 32 + 32);
  padded.set(body);
  const words = new BigUint64Array(padded.buffer);
  const first = [0n, 0n, 0n, 0n];
  const second = [0n, 0n, 0n, 0n];
  words.forEach((word, i) => {
    const k = i % 4;
    first[k] = (first[k]! + word) & MASK;
    second[k] = (second[k]! + first[k]!) & MASK;
  });
  let sum = BigInt(body.length);
  for (let k = 0; k < 4; ++k)
    for (const lane of [first[k]!, second[k]!])
      sum = (((((sum << 29n) & MASK) | (sum >> 35n)) ^ lane) * 0x9e3779b97f4a7c15n) & MASK;
  return sum ^ (sum >> 32n);
}

/** The bytes of a snapshot with a correct length and checksum. */
export function withChecksum(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  if (copy.length < 24) return copy;
  const view = new DataView(copy.buffer);
  view.setBigUint64(8, BigInt(copy.length), true);
  view.setBigUint64(16, checksum(copy.subarray(24)), true);
  return copy;
}

/** The bytes of a packet of changes with a correct checksum. */
export function withPacketChecksum(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  if (copy.length < 4) return copy;
  const sum = Number(checksum(copy.subarray(0, -4)) & 0xffffffffn);
  new DataView(copy.buffer).setUint32(copy.length - 4, sum, true);
  return copy;
}

/** Whether two lists of bytes are equal; `toEqual` is slow for long ones. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Where the bytes contain a text. */
export function indexOfText(bytes: Uint8Array, text: string): number {
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  return bytes.findIndex((_, at) => codes.every((code, i) => bytes[at + i] === code));
}
