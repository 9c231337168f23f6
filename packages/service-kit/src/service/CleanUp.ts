import type { Logger } from 'pino';

type Work = () => unknown;

/** What has to be let go, last taken first; one that fails does not keep the others. */
export class CleanUp {
  readonly #logger: Logger;
  #works: Work[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(work: Work): void {
    this.#works.push(work);
  }

  /** Runs all of it, once. */
  async run(): Promise<void> {
    const works = this.#works.reverse();
    this.#works = [];
    for (const work of works) {
      try {
        await work();
      } catch (error) {
        this.#logger.warn({ err: error }, 'Something could not be let go');
      }
    }
  }
}
