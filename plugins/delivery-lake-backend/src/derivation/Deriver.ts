import { LoggerService } from '@backstage/backend-plugin-api';

/**
 * Brings what is derived (failures, lead times, rollups) up to what was taken in.
 *
 * What was taken in says so itself, by rows of `dirty_marks` in the same
 * transaction. Per service that it concerns, before and after:
 *
 * - a counted deployment, or one that was: `since` its finish; also where nothing
 *   but its `head_position` became another;
 * - a production incident, or one that was: `since` its start; where it is deleted,
 *   the finish of the deployment that it was attributed to as well;
 * - a change: `repository_id` and `position`; where it is deleted, the finish of the
 *   deployments that list it as well.
 *
 * Other services that such an event concerns, by links of incidents, are found by
 * deriving.
 */
export interface Deriver {
  /**
   * Derives what is marked dirty, of these services or of all, and returns once it
   * is done, also when another replica does it.
   *
   * @param serviceIds - internal ids; absent: everything.
   */
  drain(serviceIds?: number[]): Promise<void>;
  /** Marks everything dirty, drains, and sums the rollups up anew. */
  rebuild(onProgress?: (done: number, total: number) => void): Promise<void>;
}
type Services = Set<number> | 'all';

/**
 * Joins calls that wait for the same thing: while one drain runs, all that come in
 * the meantime become the next one.
 */
export class DrainQueue {
  readonly #drain: (serviceIds?: number[]) => Promise<void>;
  #running: Promise<unknown> = Promise.resolve();
  #next?: { services: Services; done: Promise<void> };

  /** @param drain - is never called before its last call has ended. */
  constructor(drain: (serviceIds?: number[]) => Promise<void>) {
    this.#drain = drain;
  }

  /** Resolves once a drain that began after this call is over. */
  async run(serviceIds?: number[]): Promise<void> {
    if (this.#next) {
      const { services } = this.#next;
      if (!serviceIds || services === 'all') {
        this.#next.services = 'all';
      } else {
        serviceIds.forEach(id => services.add(id));
      }
      return this.#next.done;
    }
    const next = {
      services: serviceIds ? new Set(serviceIds) : ('all' as Services),
      done: this.#running.then(() => this.#start()),
    };
    this.#next = next;
    return next.done;
  }

  #start(): Promise<void> {
    const services = this.#next?.services ?? 'all';
    this.#next = undefined;
    const run = this.#drain(services === 'all' ? undefined : [...services]);
    // Whoever asked for it hears of a failure; the next one starts all the same.
    this.#running = run.catch(() => undefined);
    return run;
  }
}

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
