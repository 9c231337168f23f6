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
