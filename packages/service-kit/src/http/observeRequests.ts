import { redactUrl } from '@slipway/platform-guards';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { actorOf } from '../auth/Access.ts';
import type { Metrics } from '../metrics/Metrics.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** Requests that take at least this many milliseconds are logged even on routes for machines. */
const SLOW_MS = 1_000;

/**
 * Records a metric for every request and logs it; on routes for machines, only if it failed or was
 * slow (docs/adr/0051).
 */
export function observeRequests(
  app: ServiceApp,
  { metrics, logger }: { metrics: Metrics; logger: Logger },
): void {
  // Without redaction: the fields below contain no secrets, and redacting costs more than some
  // requests.
  const requests = logger.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const { operational, forMachines, url } = request.routeConfig;
    // Never the path itself: callers could create an unlimited number of series.
    const route = url ?? 'unmatched';
    const { elapsedTime, statusCode } = reply;
    const { method } = request;
    metrics.requests.observe(
      { method, route, status: statusCode },
      elapsedTime / 1_000,
    );
    const isLogged = forMachines
      ? statusCode >= 400 || elapsedTime >= SLOW_MS
      : !operational;
    if (isLogged) {
      requests.info(lineOf(request, { route, reply, elapsedTime }), 'request');
    }
    done();
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
