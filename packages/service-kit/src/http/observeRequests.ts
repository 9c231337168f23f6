import { redactUrl } from '../logging/redactUrl.ts';
import type { Metrics } from '../metrics/Metrics.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** One line in the log and one observation in the metrics for every request. */
export function observeRequests(app: ServiceApp, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    // Never the path itself: callers could make series without end.
    const route = request.is404
      ? 'unmatched'
      : request.routeOptions.url ?? 'unmatched';
    const status = reply.statusCode;
    metrics.requests.observe(
      { method, route, status: String(status) },
      reply.elapsedTime / 1_000,
    );
    if (!request.routeOptions.config.operational) {
      const { caller } = request;
      request.log.info(
        {
          method,
          route,
          status,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          url: redactUrl(request.url),
          ...(caller && 'id' in caller && { caller: caller.id }),
        },
        'request',
      );
    }
  });
  app.addHook('onRequestAbort', async request => {
    request.log.info(
      { method: request.method, url: redactUrl(request.url) },
      'request given up by its caller',
    );
  });
}
