import type { FastifyReply } from 'fastify';
import { UnavailableError } from '../errors/ServiceError.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** How often it looks for answers that are late. */
const LOOK_EVERY_MS = 1_000;

/**
 * Answers 503 for handlers that take too long, within a second after that; an answer that
 * has begun is broken off. One timer for all requests: Fastify's own `handlerTimeout` has
 * an abort controller for each, and aborts it with a stack trace at the end of each.
 *
 * @param options.handlerTimeout - milliseconds from the arrival of a request.
 */
export function boundHandlers(
  app: ServiceApp,
  { handlerTimeout }: { handlerTimeout: number },
): void {
  // In the order in which requests arrived.
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
  // Over, its caller gone, or in the hands of its handler.
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
