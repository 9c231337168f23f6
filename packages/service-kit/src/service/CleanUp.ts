import type { Logger } from 'pino';

type Work = () => unknown;

/**
 * Minimum time for each step, so that the database is closed even if an earlier step hung and used
 * up the time limit.
 */
const LEAST_MS = 1_000;

/** Releases resources in reverse order. A step that fails or hangs does not prevent the others. */
export class CleanUp {
  readonly #logger: Logger;
  readonly #timeoutMs: number;
  #works: Work[] = [];

  /** @param options.timeoutMs - time limit for all steps together, from the start of the run. */
  constructor(options: { logger: Logger; timeoutMs: number }) {
    this.#logger = options.logger;
    this.#timeoutMs = options.timeoutMs;
  }

  add(work: Work): void {
    this.#works.push(work);
  }

  /** Runs all steps, once. */
  async run(): Promise<void> {
    const works = this.#works.reverse();
    this.#works = [];
    const end = performance.now() + this.#timeoutMs;
    for (const work of works) {
      try {
        await within(Math.max(end - performance.now(), LEAST_MS), work);
      } catch (error) {
        this.#logger.warn({ err: error }, 'A resource could not be released');
      }
    }
  }
}

/**
 * Waits for work with a timeout.
 *
 * @throws Error if it takes longer.
 */
async function within(timeoutMs: number, work: Work): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('Timed out')), timeoutMs);
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
