import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Milliseconds for which a measurement is used. */
const FRESH_MS = 5 * 60_000;
/** Milliseconds that a caller waits for the first one. */
const WAIT_MS = 3_000;
const AT_ONCE = 32;

/** Bytes by folder, and when they were counted, in milliseconds since the Unix epoch. */
export interface DiskBytes<F extends string> {
  bytes: Record<F, number>;
  measuredAt: number;
}

/** Counts the bytes of folders, at most once every few minutes, because they have many files. */
export class DiskUsage<F extends string> {
  readonly #folders: Readonly<Record<F, string>>;
  readonly #now: () => number;
  #last: DiskBytes<F> | undefined;
  #measuring: Promise<void> | undefined;

  constructor(options: {
    /** Absolute; missing ones are empty. */
    folders: Readonly<Record<F, string>>;
    now: () => number;
  }) {
    this.#folders = options.folders;
    this.#now = options.now;
  }

  /**
   * Returns the last count, and starts another if it is old; undefined while the first one is in
   * progress.
   */
  async read(): Promise<DiskBytes<F> | undefined> {
    const isFresh =
      this.#last && this.#now() - this.#last.measuredAt < FRESH_MS;
    if (!isFresh) {
      this.#measuring ??= this.#measure().finally(() => {
        this.#measuring = undefined;
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>(resolve => {
        timer = setTimeout(resolve, WAIT_MS);
      });
      await Promise.race([this.#measuring, late]);
      clearTimeout(timer);
    }
    return this.#last;
  }

  async #measure(): Promise<void> {
    const bytes = {} as Record<F, number>;
    for (const [name, folder] of Object.entries(this.#folders)) {
      bytes[name as F] = await sizeOf(folder as string);
    }
    this.#last = { bytes, measuredAt: this.#now() };
  }
}

/** Adds up the files in a folder and below, without following links. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    () => [],
  );
  let total = 0;
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    const sizes = await Promise.all(
      entries
        .slice(start, start + AT_ONCE)
        .filter(entry => entry.isFile())
        // Builds may be deleted in the meantime.
        .map(({ name }) =>
          stat(path.join(folder, name)).then(
            ({ size }) => size,
            () => 0,
          ),
        ),
    );
    total += sizes.reduce((sum, size) => sum + size, 0);
  }
  for (const entry of entries.filter(one => one.isDirectory())) {
    total += await sizeOf(path.join(folder, entry.name));
  }
  return total;
}
