import { LoggerService } from '@backstage/backend-plugin-api';

/**
 * Keeps derived data (failures, lead times, rollups) up to date with ingested records.
 *
 * Ingestion appends rows to `dirty_marks` in the transaction that changes a record, for each
 * service that the record affected before or affects now:
 *
 * - a deployment that is or was counted: `since` is its finish, even if only its
 *   `head_position` changed;
 * - an incident that is or was in production: `since` is its start; if it is deleted, also
 *   the finish of the deployment it was attributed to;
 * - a change: `repository_id` and `position`; if it is deleted, also the finish of the
 *   deployments that list it.
 *
 * The derivation finds other affected services through the links of incidents.
 */
export interface Deriver {
  /**
   * Derives the dirty data of these services, or of all. Resolves when it is done, even if another
   * replica does the work.
   *
   * @param serviceIds - internal ids; default: all services.
   */
  drain(serviceIds?: number[]): Promise<void>;
  /** Marks everything dirty, drains, and recomputes the rollups. */
  rebuild(onProgress?: (done: number, total: number) => void): Promise<void>;
}

type Services = Set<number> | 'all';

/** Combines concurrent calls: all calls that arrive during a drain share the next one. */
export class DrainQueue {
  readonly #drain: (serviceIds?: number[]) => Promise<void>;
  #running: Promise<unknown> = Promise.resolve();
  #next?: { services: Services; done: Promise<void> };

  /** @param drain - is never called concurrently. */
  constructor(drain: (serviceIds?: number[]) => Promise<void>) {
    this.#drain = drain;
  }

  /** Resolves when a drain that started after this call has finished. */
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
    // Its callers receive the failure; the next drain starts anyway.
    this.#running = run.catch(() => undefined);
    return run;
  }
}

/** Long enough for the next batch of an import to arrive. */
const QUIET_MS = 1_000;

/**
 * Derives soon after events arrive, so that readers rarely have to wait. Readers drain what
 * they need themselves, so correctness does not depend on this.
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

  /** Schedules a drain one second from now; further calls until then have no effect. */
  soon(): void {
    if (this.#stopped || this.#timer) {
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#draining = this.#drain();
    }, QUIET_MS);
  }

  /** Waits for a running drain; remaining marks are drained after the next start. */
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
