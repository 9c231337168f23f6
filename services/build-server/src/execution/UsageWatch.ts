import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import type { Interruption } from './commands.ts';

const LOOK_MS = 1_000;
const MEASURE_TIMEOUT_MS = 60_000;
/** Pause between two measurements, as a multiple of the duration of a measurement. */
const PAUSE = 20;
const MEBIBYTE = 1024 ** 2;
/**
 * Builds end when the free disk space falls below this size or this fraction of the disk, whichever
 * is smaller.
 */
const RESERVE_BYTES = 512 * MEBIBYTE;
const RESERVE_SHARE = 0.02;

interface WatchOptions {
  /** Absolute; contains all files of the build. */
  directory: string;
  diskMiB: number;
  /** Returns which other limit the build exceeds; the end of a sentence. */
  excess?(): Promise<string | undefined>;
}

/**
 * Checks the resource usage of a build every second while its programs run, and ends the build when
 * it exceeds a limit.
 */
export class UsageWatch {
  readonly #options: WatchOptions;
  readonly #exceeded = new AbortController();
  #running = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** The last measurement, and how much of the disk was free then. */
  #last = { usedBytes: 0, freeBytes: Infinity };
  #nextMs = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Aborts with an {@link Interruption} when the build exceeds a limit. */
  get exceeded(): AbortSignal {
    return this.#exceeded.signal;
  }

  /** Does the given work, and checks the build in the meantime. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    this.#timer ??= setInterval(() => {
      // The next check makes up for a failed one.
      this.#look().catch(() => undefined);
    }, LOOK_MS).unref();
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#exceeded.signal.aborted) {
      return;
    }
    this.#isLooking = true;
    try {
      const excess =
        (await this.#options.excess?.()) ?? (await this.#diskExcess());
      if (excess !== undefined) {
        const reason: Interruption = { kind: 'limit', excess };
        this.#exceeded.abort(reason);
      }
    } finally {
      this.#isLooking = false;
    }
  }

  async #diskExcess(): Promise<string | undefined> {
    const { directory, diskMiB } = this.#options;
    const limit = diskMiB * MEBIBYTE;
    const { bavail, blocks, bsize } = await statfs(directory);
    const freeBytes = bavail * bsize;
    const reserve = Math.min(RESERVE_BYTES, blocks * bsize * RESERVE_SHARE);
    if (freeBytes < reserve) {
      return `less than ${Math.ceil(reserve / MEBIBYTE)} MiB of disk space were left on its machine`;
    }
    // Large folders take long to measure. Between measurements, a build cannot grow by more than
    // the used space of the disk does.
    const grown = this.#last.freeBytes - freeBytes;
    const now = performance.now();
    if (now < this.#nextMs && grown < (limit - this.#last.usedBytes) / 2) {
      return undefined;
    }
    const usedBytes = await sizeOf(directory);
    this.#last = { usedBytes, freeBytes };
    this.#nextMs = now + PAUSE * (performance.now() - now);
    return usedBytes > limit
      ? `it used more than ${diskMiB} MiB of disk space`
      : undefined;
  }
}

/**
 * Measures a folder that may change while it is read. @returns bytes; 0 if it cannot be measured.
 */
function sizeOf(directory: string): Promise<number> {
  return new Promise(resolve => {
    execFile(
      'nice',
      ['-n', '10', 'du', '-skx', directory],
      { timeout: MEASURE_TIMEOUT_MS, env: { PATH: '/usr/bin:/bin' } },
      // Files that disappear during the measurement cause errors that do not matter.
      (_error, stdout) => resolve((Number.parseInt(stdout, 10) || 0) * 1024),
    );
  });
}
