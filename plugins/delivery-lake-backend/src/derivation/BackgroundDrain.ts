import { LoggerService } from '@backstage/backend-plugin-api';
import { Deriver } from './Deriver';

/** Long enough for the next batch of an import to arrive. */
const QUIET_MS = 1_000;

/**
 * Derives soon after events came in, so that readers seldom have to wait for it.
 * They drain what they need themselves: this saves time and guards nothing.
 */
export class BackgroundDrain {
  readonly #deriver: Pick<Deriver, 'drain'>;
  readonly #logger: Pick<LoggerService, 'warn'>;
  #timer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;
  #stopped = false;

  constructor(options: {
    deriver: Pick<Deriver, 'drain'>;
    logger: Pick<LoggerService, 'warn'>;
  }) {
    this.#deriver = options.deriver;
    this.#logger = options.logger;
  }

  /** Drains a second from now; told again meanwhile, it still does so once. */
  soon(): void {
    if (this.#stopped || this.#timer) {
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#draining = this.#drain();
    }, QUIET_MS);
  }

  /** Waits for what is under way; what is marked waits for the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#draining;
  }

  async #drain(): Promise<void> {
    try {
      await this.#deriver.drain();
    } catch (error) {
      this.#logger.warn(
        'Deriving in the background failed; the next reader tries again',
        error as Error,
      );
    }
  }
}
