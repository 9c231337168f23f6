import { Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Logger } from 'pino';
import { CachedGauge, type CachedGaugeOptions } from './CachedGauge.ts';

/** The metrics of one service. */
export class Metrics {
  /** Pass it to counters, gauges and histograms: `registers: [metrics.registry]`. */
  readonly registry = new Registry();
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  readonly #logger: Logger;
  readonly #now: () => number;

  constructor(options: { logger: Logger; now: () => number }) {
    this.#logger = options.logger;
    this.#now = options.now;
    collectDefaultMetrics({ register: this.registry });
    this.requests = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Seconds from the arrival of a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
      ],
      registers: [this.registry],
    });
  }

  /** A gauge whose values are computed seldom and scraped often. */
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
