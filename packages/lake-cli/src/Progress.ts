const LINE_EVERY_MS = 5_000;
const BAR_WIDTH = 40;
/** Escape sequence that moves to the start of the line and clears it. */
const START_OF_LINE = '\r\u001b[K';

/** Shows the progress of a long task. */
export interface Progress {
  update(done: number, total: number, note?: string): void;
  /** Prints a message without disturbing the progress. */
  say(text: string): void;
  stop(): void;
}

/** The stream that the progress is written to, usually `process.stderr`. */
export type ProgressStream = NodeJS.WritableStream & { isTTY?: boolean };

/** Shows progress in terminals: draws a bar, and overwrites it with each update. */
function createBar(stream: ProgressStream): Progress {
  let drawn = '';
  const draw = (line: string) => stream.write(`${START_OF_LINE}${line}`);
  return {
    update(done, total, note = '') {
      const share = total === 0 ? 0 : Math.min(1, done / total);
      const bar = '█'.repeat(Math.round(share * BAR_WIDTH));
      const line = `${bar.padEnd(BAR_WIDTH, '░')} ${Math.floor(
        share * 100,
      )}%  ${note}`;
      if (line !== drawn) {
        drawn = line;
        draw(line);
      }
    },
    say(text) {
      draw(`${text}\n${drawn}`);
    },
    stop() {
      if (drawn) {
        stream.write('\n');
      }
    },
  };
}

/** Shows progress in logs: prints a line from time to time. */
function createLines(stream: ProgressStream): Progress {
  let said = Date.now();
  return {
    update(done, total, note = '') {
      if (Date.now() - said >= LINE_EVERY_MS) {
        said = Date.now();
        const percent = total === 0 ? 0 : Math.floor((done / total) * 100);
        stream.write(`${percent}%  ${note}\n`);
      }
    },
    say(text) {
      stream.write(`${text}\n`);
    },
    stop() {},
  };
}

/** Creates a bar if the stream is a terminal, otherwise lines. */
export function createProgress(stream: ProgressStream): Progress {
  return stream.isTTY ? createBar(stream) : createLines(stream);
}
