import { type DestinationStream, pino } from 'pino';

/** Lines are flushed when they reach this many characters, and at least once per interval. */
const BUFFER_CHARACTERS = 16 * 1024;
const BUFFER_MS = 250;
/** If the reader stops, lines are dropped rather than filling up the service's memory. */
const WAITING_BYTES = 16 * 1024 * 1024;
/** Larger than a full buffer in UTF-8, so that pino writes only when `flush` is called. */
const PINO_BYTES = 4 * BUFFER_CHARACTERS;
/** Maximum time that an exiting process waits for a write in progress on a busy thread. */
const LAST_WRITE_MS = 500;

/**
 * Creates a destination that writes lines asynchronously in batches, and the remaining ones when
 * the process exits. pino's own buffer would measure, and thereby copy, its whole content for each
 * line.
 *
 * @param dest - a file descriptor or a file name.
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
  /** True if pino buffers lines until the write in progress has finished. */
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
        // Otherwise the lines of the write in progress would come after the last ones. Node.js
        // reports its end only to the event loop, which has stopped.
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
