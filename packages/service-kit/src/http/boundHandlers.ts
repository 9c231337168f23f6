import type { FastifyReply } from 'fastify';
import { UnavailableError } from '../errors/ServiceError.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** Interval of the check for late responses. */
const LOOK_EVERY_MS = 1_000;

/**
 * Responds with 503 for handlers that take too long, at most a second late; a response that has
 * already started is aborted. Uses one timer for all requests: Fastify's own `handlerTimeout`
 * creates an abort controller per request and aborts it, with a stack trace, when each request
 * ends.
 *
 * @param options.handlerTimeout - milliseconds since the request arrived.
 */
export function boundHandlers(
  app: ServiceApp,
  { handlerTimeout }: { handlerTimeout: number },
): void {
  // In order of arrival.
  const open = new Set<FastifyReply>();
  app.addHook('onRequest', (_request, reply, done) => {
    open.add(reply);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    open.delete(reply);
    done();
  });
  const timer = setInterval(
    () => {
      for (const reply of open) {
        if (reply.elapsedTime < handlerTimeout) {
          break;
        }
        open.delete(reply);
        giveUp(reply);
      }
    },
    Math.min(LOOK_EVERY_MS, handlerTimeout / 2),
  );
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

function giveUp(reply: FastifyReply): void {
  // Already answered, abandoned by the caller, or hijacked by its handler.
  if (reply.sent || reply.raw.destroyed) {
    return;
  }
  const error = new UnavailableError('The request timed out', {
    retryAfterSeconds: 5,
  });
  if (reply.raw.headersSent) {
    reply.raw.destroy(error);
  } else {
    reply.send(error);
  }
}
