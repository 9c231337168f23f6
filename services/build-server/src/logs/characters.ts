/** Returns the bytes without an incomplete UTF-8 character at their end. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back];
    if (isContinuation(byte)) {
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

/** A UTF-8 character has as many bytes after its first one, at most. */
const CONTINUATIONS = 3;

/**
 * Cuts a part of a log at a number of bytes, without splitting a UTF-8 character: one that began in
 * an earlier part is completed, so that the result may be up to three bytes longer.
 */
export function cutAt(bytes: Buffer, length: number): Buffer {
  let end = length;
  while (end < length + CONTINUATIONS && isContinuation(bytes[end])) {
    end += 1;
  }
  return wholeCharacters(bytes.subarray(0, end));
}

/** Checks whether a byte continues a UTF-8 character; false past the end of the bytes. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
