import {
  createServiceFactory,
  createServiceRef,
} from '@backstage/backend-plugin-api';
import { RequestHandler } from 'express';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Metrics of the portal's backend in the Prometheus text format. */
export class PortalMetrics {
  readonly registry = new Registry();
  readonly #requests: Histogram<'plugin' | 'method' | 'status'>;

  constructor() {
    collectDefaultMetrics({
      register: this.registry,
      // In milliseconds. The default, 10, wakes an idle process up a hundred times per second.
      eventLoopMonitoringPrecision: 50,
    });
    this.#requests = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Duration of HTTP requests in seconds, by plugin',
      labelNames: ['plugin', 'method', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.registry],
    });
  }

  /** Records the requests of a plugin when the response is sent. */
  observeRequests(plugin: string): RequestHandler {
    return (req, res, next) => {
      const stop = this.#requests.startTimer({ plugin, method: req.method });
      res.once('finish', () => stop({ status: String(res.statusCode) }));
      next();
    };
  }
}

/** Shared by all plugins of the process. */
export const portalMetricsRef = createServiceRef<PortalMetrics>({
  id: 'slipway.portal-metrics',
  scope: 'root',
  defaultFactory: async service =>
    createServiceFactory({
      service,
      deps: {},
      factory: () => new PortalMetrics(),
    }),
});
