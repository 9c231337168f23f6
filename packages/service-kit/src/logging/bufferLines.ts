import { type DestinationStream, pino } from 'pino';

/** Lines are buffered up to this size and flushed at least once per interval. */
const BUFFER_CHARACTERS = 16 * 1024;
const BUFFER_MS = 250;
/** If the reader stops reading, lines are dropped rather than using up the service's memory. */
const WAITING_BYTES = 16 * 1024 * 1024;
/** More than a full buffer in UTF-8, so that pino writes only when it is told to. */
const PINO_BYTES = 4 * BUFFER_CHARACTERS;

/**
 * Creates a destination that writes lines asynchronously, many at a time, and the last ones when the
 * process exits. pino's own buffer measures, and thereby copies, all it holds for each line.
 *
 * @param dest - a file descriptor or the name of a file.
 */
export function bufferLines(dest: number | string): DestinationStream {
  const target = pino.destination({
    dest,
    sync: false,
    minLength: PINO_BYTES,
    maxWrite: 2 * PINO_BYTES,
    maxLength: WAITING_BYTES,
  });
  let text = '';
  const pass = () => {
    const lines = text;
    text = '';
    target.write(lines);
  };
  const flush = () => {
    if (text !== '') {
      pass();
    }
    target.flush();
  };
  setInterval(flush, BUFFER_MS).unref();
  process.prependListener('exit', () => {
    if (text !== '') {
      pass();
      target.flushSync();
    }
  });
  return {
    write(line) {
      text += line;
      if (text.length >= BUFFER_CHARACTERS) {
        flush();
      }
    },
  };
}
