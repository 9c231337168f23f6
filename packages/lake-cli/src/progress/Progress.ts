import cliProgress from 'cli-progress';

const LINE_EVERY_MS = 5_000;

/** Shows how far long work is. */
export interface Progress {
  update(done: number, total: number, note?: string): void;
  /** Says something in between. */
  say(text: string): void;
  stop(): void;
}

/** Where it is shown: `process.stderr` in life. */
export type ProgressStream = NodeJS.WritableStream & { isTTY?: boolean };

function createBar(stream: ProgressStream): Progress {
  const bar = new cliProgress.SingleBar(
    {
      stream,
      format: '{bar} {percentage} %  {note}',
      hideCursor: true,
      etaBuffer: 50,
    },
    cliProgress.Presets.shades_classic,
  );
  let running = false;
  return {
    update(done, total, note = '') {
      if (!running) {
        bar.start(total, done, { note });
        running = true;
      }
      bar.setTotal(total);
      bar.update(done, { note });
    },
    say(text) {
      // The bar is drawn again below it at the next update.
      stream.write(`\r\u001b[K${text}\n`);
    },
    stop() {
      if (running) {
        bar.stop();
      }
    },
  };
}

/** For logs: a line now and then, none of them drawn over. */
function createLines(stream: ProgressStream): Progress {
  let said = Date.now();
  return {
    update(done, total, note = '') {
      if (Date.now() - said >= LINE_EVERY_MS) {
        said = Date.now();
        const percent = total === 0 ? 0 : Math.floor((done / total) * 100);
        stream.write(`${percent} %  ${note}\n`);
      }
    },
    say(text) {
      stream.write(`${text}\n`);
    },
    stop() {},
  };
}

/** A bar on a terminal, lines anywhere else. */
export function createProgress(stream: ProgressStream): Progress {
  return stream.isTTY ? createBar(stream) : createLines(stream);
}
