import { redactUrl } from '@slipway/platform-guards';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { actorOf } from '../auth/Access.ts';
import type { Metrics } from '../metrics/Metrics.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** Writes a log line and records a metric for every request. */
export function observeRequests(
  app: ServiceApp,
  { metrics, logger }: { metrics: Metrics; logger: Logger },
): void {
  // The fields are only those below, which contain no secrets, so redaction would be wasted: it
  // costs more than some requests do.
  const requests = logger.child({}, { redact: [] });
  app.decorateRequest('isAnswered', false);
  app.addHook('onResponse', (request, reply, done) => {
    request.isAnswered = true;
    // Never the path itself: callers could create an unlimited number of series.
    const { url: route = 'unmatched', config } = request.routeOptions;
    const { elapsedTime } = reply;
    metrics.requests.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      elapsedTime / 1_000,
    );
    if (!config.operational) {
      requests.info(lineOf(request, { route, reply, elapsedTime }), 'request');
    }
    done();
  });
  app.addHook('onRequestAbort', async request => {
    // A request that was answered may end before its body has arrived.
    if (!request.isAnswered) {
      request.log.info(
        { method: request.method, url: redactUrl(request.url) },
        'request aborted by its caller',
      );
    }
  });
}

function lineOf(
  { id, method, url, caller }: FastifyRequest,
  options: { route: string; reply: FastifyReply; elapsedTime: number },
): object {
  const { route, reply, elapsedTime } = options;
  return {
    reqId: id,
    method,
    route,
    status: reply.statusCode,
    ms: Math.round(elapsedTime * 10) / 10,
    url: redactUrl(url),
    // Omitted from the line if undefined.
    caller: caller && caller.kind !== 'anonymous' ? actorOf(caller) : undefined,
  };
}
