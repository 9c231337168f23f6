import underPressure from '@fastify/under-pressure';
import type { FastifyReply, FastifyRequest } from 'fastify';
import createRouter from 'find-my-way';
import { UnavailableError } from '../errors/ServiceError.ts';
import type { ServiceApp } from './ServiceApp.ts';

/**
 * What browsers may do with an answer: read it as the JSON that it is, and nothing else.
 * As OWASP has it for REST; written out since they are the same on every answer.
 */
const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  // Pages of the portal show images that services hold.
  'cross-origin-resource-policy': 'same-site',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** After the start, until the delay of the event loop was measured anew. */
const START_UP_MS = 2_500;

/** How often the delay of the event loop is measured. */
const SAMPLE_MS = 1_000;

/** What every answer of an API has to say to browsers, and when to say no. */
export async function hardenApp(
  app: ServiceApp,
  options: { origin: string; eventLoopDelay: number },
): Promise<void> {
  const { origin, eventLoopDelay } = options;
  allowOrigin(app, origin);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    if (request.routeOptions.config.cors === 'any') {
      reply.header('cross-origin-resource-policy', 'cross-origin');
    }
    done();
  });
  let startedAt = performance.now();
  app.addHook('onListen', async () => {
    startedAt = performance.now();
  });
  await app.register(underPressure, {
    maxEventLoopDelay: eventLoopDelay,
    sampleInterval: SAMPLE_MS,
    pressureHandler(request, _reply, _type, delay) {
      // So it calls a loop that was blocked from one measure to the next.
      if (delay === Infinity && eventLoopDelay > SAMPLE_MS) {
        return;
      }
      // Loading and migrating block the loop, and say nothing of the requests to come.
      const starting = performance.now() - startedAt < START_UP_MS;
      // Operators must see an overloaded service, not only its callers.
      if (!starting && !request.routeOptions.config.operational) {
        throw new UnavailableError('The service is overloaded', {
          retryAfterSeconds: 10,
        });
      }
    },
  });
}

/** What the pages may read of an answer beside its body. */
const READABLE = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'X-Request-Id',
].join(', ');

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const PREFLIGHT_KEPT_SECONDS = 600;

/**
 * Lets pages of one origin, and no other, read answers: CORS, as the Fetch standard has
 * it. Routes with `cors: 'any'` answer pages of all. Preflights are answered here, since
 * they come without a credential. Who names no origin pays nothing for it.
 */
function allowOrigin(app: ServiceApp, origin: string): void {
  const isOpen = openRoutes(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin');
    const asking = request.headers.origin;
    if (asking !== undefined && (asking === origin || isOpen(request))) {
      reply
        .header('access-control-allow-origin', asking)
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

/** Tells requests of routes with `cors: 'any'`; the path alone says it of a preflight. */
function openRoutes(app: ServiceApp): (request: FastifyRequest) => boolean {
  const paths = createRouter({ ignoreTrailingSlash: true });
  const known = new Set<string>();
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.cors === 'any' && !known.has(url)) {
      known.add(url);
      paths.on('OPTIONS', url, () => {});
    }
  });
  return ({ method, routeOptions, url }) =>
    method === 'OPTIONS'
      ? paths.find('OPTIONS', url.split('?', 1)[0]) !== null
      : routeOptions.config.cors === 'any';
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
