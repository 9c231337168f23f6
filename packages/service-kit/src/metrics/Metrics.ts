import { setTimeout } from 'node:timers/promises';
import {
  Registry,
  collectDefaultMetrics,
  Gauge,
  type LabelValues,
} from 'prom-client';
import type { Logger } from 'pino';
import { RequestDurations } from './RequestDurations.ts';

/** The current value of one series of a gauge. */
export interface Sample<L extends string> {
  labels?: LabelValues<L>;
  value: number;
}

/** A prom-client gauge and how its values are computed. */
interface CachedGaugeOptions<L extends string> {
  name: string;
  help: string;
  labelNames?: readonly L[];
  /** Maximum age of values in seconds; 30 by default. */
  everySeconds?: number;
  /** Returns all series; any other series is no longer exposed. */
  compute(): Promise<readonly Sample<L>[]>;
}

/** Maximum time that the first scrape waits for values, in milliseconds. */
const FIRST_VALUES_MS = 2_000;

/**
 * A gauge that does not block scrapes: it reports the last computed values and recomputes them in
 * the background once they are too old. Only the first scrape waits briefly, as there are no values
 * yet.
 */
export class CachedGauge<L extends string> {
  readonly #options: CachedGaugeOptions<L>;
  readonly #gauge: Gauge<L>;
  readonly #logger: Logger;
  readonly #now: () => number;
  #computedAt = -Infinity;
  #scraped = false;
  #computing: Promise<void> | undefined;

  constructor(
    options: CachedGaugeOptions<L>,
    context: { registry: Registry; logger: Logger; now: () => number },
  ) {
    this.#options = options;
    this.#logger = context.logger;
    this.#now = context.now;
    const refreshIfOld = () => this.#refreshIfOld();
    this.#gauge = new Gauge<L>({
      name: options.name,
      help: options.help,
      labelNames: options.labelNames ?? [],
      registers: [context.registry],
      async collect() {
        await refreshIfOld();
      },
    });
    // Without labels, prom-client exposes a 0 that was never computed.
    this.#gauge.reset();
    this.#gauge.remove({});
  }

  /** Computes the values now; concurrent calls share one computation. */
  refresh(): Promise<void> {
    this.#computing ??= this.#compute().finally(() => {
      this.#computing = undefined;
    });
    return this.#computing;
  }

  async #refreshIfOld(): Promise<void> {
    const { everySeconds = 30 } = this.#options;
    const age = this.#now() - this.#computedAt;
    // Negative if the clock was set back.
    if (Math.abs(age) < everySeconds * 1_000) {
      return;
    }
    const computed = this.refresh();
    if (!this.#scraped) {
      this.#scraped = true;
      const waited = new AbortController();
      await Promise.race([
        computed,
        setTimeout(FIRST_VALUES_MS, undefined, {
          signal: waited.signal,
        }).catch(() => undefined),
      ]);
      waited.abort();
    }
  }

  /** Computes new values; keeps the old ones on failure. */
  async #compute(): Promise<void> {
    try {
      const samples = await this.#options.compute();
      this.#gauge.reset();
      this.#gauge.remove({});
      for (const { labels = {}, value } of samples) {
        this.#gauge.set(labels as LabelValues<L>, value);
      }
    } catch (error) {
      const { name } = this.#options;
      this.#logger.warn(
        { err: error, metric: name },
        'Could not update a metric; it keeps its previous values',
      );
    } finally {
      this.#computedAt = this.#now();
    }
  }
}

let ofProcess: Registry | undefined;

/**
 * Returns the metrics of this process, such as its memory. Collection cannot be stopped before the
 * process ends, so all services that run in it, even one after another, share one registry.
 */
function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({
      register: ofProcess,
      // In milliseconds. The default, 10, wakes an idle process up a hundred times per second.
      eventLoopMonitoringPrecision: 50,
    });
  }
  return ofProcess;
}

/** The metrics of a service. */
export class Metrics {
  /** Pass it to counters, gauges and histograms: `registers: [metrics.registry]`. */
  readonly registry = new Registry();
  readonly requests = new RequestDurations();
  readonly #process: Registry;
  readonly #logger: Logger;
  readonly #now: () => number;

  constructor(options: { logger: Logger; now: () => number }) {
    this.#logger = options.logger;
    this.#now = options.now;
    this.#process = processMetrics();
  }

  /** Returns all metrics in the Prometheus text format. */
  async toText(): Promise<string> {
    const texts = [this.#process, this.registry].map(one => one.metrics());
    return [...(await Promise.all(texts)), this.requests.toText()].join('\n');
  }

  /** Creates a gauge that is expensive to compute and scraped often. */
  cachedGauge<L extends string>(
    options: CachedGaugeOptions<L>,
  ): CachedGauge<L> {
    return new CachedGauge(options, {
      registry: this.registry,
      logger: this.#logger,
      now: this.#now,
    });
  }
}
