import type { Metrics } from '../metrics/Metrics.ts';
import { operational } from './operational.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** `/metrics` in Prometheus' text format. */
export function metricsRoute(app: ServiceApp, metrics: Metrics): void {
  app.get(
    '/metrics',
    {
      config: operational,
      schema: {
        tags: ['operation'],
        summary: 'Metrics in the text format of Prometheus',
        produces: ['text/plain'],
      },
    },
    async (_request, reply) => {
      reply.type(metrics.registry.contentType);
      return metrics.registry.metrics();
    },
  );
}
