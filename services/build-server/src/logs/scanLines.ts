import type { FileHandle } from 'node:fs/promises';

/**
 * Other work continues between two chunks, so even a chunk of empty lines must take only
 * milliseconds. Longer than a line.
 */
const CHUNK_BYTES = 128 * 1024;
/** A longer line counts as several. */
const MAX_LINE_BYTES = 65_536;
const NEWLINE = 10;
const RETURN = 13;

/** A line as a range of a buffer, valid only until the next line. */
export interface ScannedLine {
  buffer: Buffer;
  from: number;
  to: number;
  /** Offset of the line in the file. */
  start: number;
}

/**
 * Reads the lines of a file in order, without line endings.
 *
 * @param options.isWhole - whether text without a final newline counts as a line.
 * @param onLine - returns false to stop.
 * @returns the offset of the next line.
 */
export async function scanLines(
  file: FileHandle,
  options: { from: number; to: number; isWhole: boolean },
  onLine: (line: ScannedLine) => boolean,
): Promise<number> {
  const { to, isWhole } = options;
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, to - options.from));
  let next = options.from;
  while (next < to) {
    const wanted = Math.min(buffer.length, to - next);
    const { bytesRead } = await file.read(buffer, 0, wanted, next);
    const isLast = bytesRead === 0 || next + bytesRead >= to;
    let begin = 0;
    while (begin < bytesRead) {
      const found = buffer.indexOf(NEWLINE, begin);
      const hasEnd = found >= 0 && found < bytesRead;
      const limit = begin + MAX_LINE_BYTES;
      const isCut = limit <= (hasEnd ? found : bytesRead);
      if (!hasEnd && !isCut && !(isLast && isWhole)) {
        break;
      }
      const rest = hasEnd ? found : bytesRead;
      const end = isCut ? limit : rest;
      const line = {
        buffer,
        from: begin,
        to: buffer[end - 1] === RETURN && end > begin ? end - 1 : end,
        start: next + begin,
      };
      begin = isCut || !hasEnd ? end : end + 1;
      if (!onLine(line)) {
        return next + begin;
      }
    }
    next += begin;
    if (isLast) {
      break;
    }
  }
  return next;
}
