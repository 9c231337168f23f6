import { type DestinationStream, pino } from 'pino';

/** Lines are buffered up to this size and flushed at least once per interval. */
const BUFFER_CHARACTERS = 16 * 1024;
const BUFFER_MS = 250;
/** If the reader stops reading, lines are dropped rather than using up the service's memory. */
const WAITING_BYTES = 16 * 1024 * 1024;
/** More than a full buffer in UTF-8, so that pino writes only when it is told to. */
const PINO_BYTES = 4 * BUFFER_CHARACTERS;
/** The time that a process waits at its exit for a write that a busy thread has not finished. */
const LAST_WRITE_MS = 500;

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
  let isWriting = false;
  /** True if pino holds lines until the write in progress has ended. */
  let isBehind = false;
  target.on('drain', () => {
    isWriting = false;
    isBehind = false;
  });
  const pass = () => {
    const lines = text;
    text = '';
    target.write(lines);
  };
  const flush = () => {
    if (text !== '') {
      isBehind = isWriting;
      pass();
    }
    isWriting = true;
    target.flush();
  };
  setInterval(flush, BUFFER_MS).unref();
  process.prependListener('exit', () => {
    if (text !== '' || isBehind) {
      if (text !== '') {
        pass();
      }
      if (isWriting) {
        // Its lines would come after the last ones. Node.js reports its end to the event loop alone,
        // which has stopped.
        const cell = new Int32Array(new SharedArrayBuffer(4));
        Atomics.wait(cell, 0, 0, LAST_WRITE_MS);
      }
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
