import type { FastifyReply } from 'fastify';
import type { ServiceApp } from './ServiceApp.ts';

/** What the pages may read of an answer beside its body. */
const READABLE = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
].join(', ');

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const PREFLIGHT_KEPT_SECONDS = 600;

/**
 * Lets pages of one origin, and no other, read answers: CORS, as the Fetch standard has
 * it. Preflights are answered here, since they come without a credential. With one origin
 * all of it is known beforehand, and who names no origin pays nothing for it.
 */
export function allowOrigin(app: ServiceApp, origin: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin');
    if (request.headers.origin === origin) {
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-credentials', 'true')
        .header('access-control-expose-headers', READABLE);
    }
    if (request.method === 'OPTIONS') {
      answerPreflight(reply, request.headers['access-control-request-headers']);
    } else {
      done();
    }
  });
}

/** Without the header that names the origin, none of it helps a foreign page. */
function answerPreflight(reply: FastifyReply, asked: string | undefined): void {
  if (asked !== undefined) {
    reply.header('access-control-allow-headers', asked);
  }
  reply
    .header('vary', 'Origin, Access-Control-Request-Headers')
    .header('access-control-allow-methods', METHODS)
    .header('access-control-max-age', PREFLIGHT_KEPT_SECONDS)
    .code(204)
    .send();
}
