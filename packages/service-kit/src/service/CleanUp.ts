import type { Logger } from 'pino';

type Work = () => unknown;

/** What each gets though there is no time left: those that hang come before the database. */
const LEAST_MS = 1_000;

/**
 * What has to be let go, last taken first; one that fails, or does not come to an end,
 * does not keep the others.
 */
export class CleanUp {
  readonly #logger: Logger;
  readonly #timeoutMs: number;
  #works: Work[] = [];

  /** @param options.timeoutMs - for all of it, from the moment at which it runs. */
  constructor(options: { logger: Logger; timeoutMs: number }) {
    this.#logger = options.logger;
    this.#timeoutMs = options.timeoutMs;
  }

  add(work: Work): void {
    this.#works.push(work);
  }

  /** Runs all of it, once. */
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

/** @throws Error when it takes longer. */
async function within(timeoutMs: number, work: Work): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('It takes too long and is no longer awaited')),
      timeoutMs,
    );
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
