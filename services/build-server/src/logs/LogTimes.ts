import { appendFile, readFile, rm } from 'node:fs/promises';

const SECOND_MS = 1_000;

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

  /** Reads the recorded times: the offset from which each applies, and milliseconds since the Unix epoch. */
  async read(): Promise<[offset: number, at: number][]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return text
      .split('\n')
      .map(line => line.split(' ').map(Number) as [number, number])
      .filter(([offset, at]) => Number.isSafeInteger(offset) && at > 0);
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}

/** Returns the latest time recorded at or before an offset. */
export function timeAt(
  marks: readonly (readonly [offset: number, at: number])[],
  byte: number,
): number | null {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle][0] <= byte) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low === 0 ? null : marks[low - 1][1];
}
