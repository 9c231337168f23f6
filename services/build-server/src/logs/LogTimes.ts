import { appendFile, readFile, rm } from 'node:fs/promises';

const SECOND_MS = 1_000;

/** A recorded time: it applies from the offset on; milliseconds since the Unix epoch. */
type Mark = [offset: number, at: number];

/**
 * Records when each part of a log was written, to the second; stored next to the log,
 * which contains only the text.
 */
export class LogTimes {
  readonly #file: string;
  #last = 0;

  /** @param log - the file of the log. */
  constructor(log: string) {
    this.#file = `${log}.times`;
  }

  /** Records that the text from an offset on is written now. */
  async mark(offset: number, now: number = Date.now()): Promise<void> {
    const second = Math.floor(now / SECOND_MS);
    if (second > this.#last) {
      this.#last = second;
      await appendFile(this.#file, `${offset} ${now}\n`, { mode: 0o600 });
    }
  }

  /**
   * Reads the recorded times.
   *
   * @returns what gives the latest time recorded at or before an offset, in milliseconds since the
   * Unix epoch; null if there is none.
   */
  async read(): Promise<(offset: number) => number | null> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const marks = text
      .split('\n')
      .map(line => line.split(' ').map(Number) as Mark)
      .filter(([offset, at]) => Number.isSafeInteger(offset) && at > 0);
    return offset => timeAt(marks, offset);
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}

function timeAt(marks: readonly Mark[], offset: number): number | null {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle][0] <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low === 0 ? null : marks[low - 1][1];
}
