/** Returns the bytes without an incomplete UTF-8 character at their end. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back];
    if ((byte & 0b1100_0000) === 0b1000_0000) {
      continue;
    }
    return lengthOf(byte) > back
      ? bytes.subarray(0, bytes.length - back)
      : bytes;
  }
  return bytes;
}

/** Returns the length of the UTF-8 character that starts with a byte; 1 if the byte starts none. */
function lengthOf(byte: number): number {
  if (byte >= 0b1111_0000) {
    return byte < 0b1111_1000 ? 4 : 1;
  }
  if (byte >= 0b1110_0000) {
    return 3;
  }
  return byte >= 0b1100_0000 ? 2 : 1;
}
