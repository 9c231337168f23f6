import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { redactUrl } from '../logging/redactUrl.ts';
import type { Metrics } from '../metrics/Metrics.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** One line in the log and one observation in the metrics for every request. */
export function observeRequests(
  app: ServiceApp,
  { metrics, logger }: { metrics: Metrics; logger: Logger },
): void {
  // Its fields are the ones below, and their secrets are gone: to look for more by name
  // costs more than some requests do.
  const requests = logger.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = routeOf(request);
    const { statusCode: status, elapsedTime } = reply;
    metrics.requests.observe(
      { method, route, status: String(status) },
      elapsedTime / 1_000,
    );
    if (!request.routeOptions.config.operational) {
      requests.info(lineOf(request, reply), 'request');
    }
    done();
  });
  app.addHook('onRequestAbort', async request => {
    request.log.info(
      { method: request.method, url: redactUrl(request.url) },
      'request given up by its caller',
    );
  });
}

/** Never the path itself: callers could make series without end. */
function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'unmatched' : request.routeOptions.url ?? 'unmatched';
}

function lineOf(request: FastifyRequest, reply: FastifyReply): object {
  const { caller } = request;
  return {
    reqId: request.id,
    method: request.method,
    route: routeOf(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    url: redactUrl(request.url),
    ...(caller && 'id' in caller && { caller: caller.id }),
  };
}
