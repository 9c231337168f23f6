import underPressure from '@fastify/under-pressure';
import type { FastifyReply, FastifyRequest } from 'fastify';
import createRouter from 'find-my-way';
import { UnavailableError } from '../errors/ServiceError.ts';
import type { ServiceApp } from './ServiceApp.ts';

/**
 * Security headers for JSON APIs as recommended by OWASP. They are a constant because they are the
 * same on every response.
 */
const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  // Portal pages show images served by services.
  'cross-origin-resource-policy': 'same-site',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Grace period after startup, until the event loop delay has been measured again. */
const START_UP_MS = 2_500;

/** Interval at which the event loop delay is measured. */
const SAMPLE_MS = 1_000;

/** Sets the security headers of every response and rejects requests under overload. */
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
      // The plugin reports Infinity for a loop that was blocked during a whole sample.
      if (delay === Infinity && eventLoopDelay > SAMPLE_MS) {
        return;
      }
      // Loading and migrating block the loop, which says nothing about the requests to come.
      const starting = performance.now() - startedAt < START_UP_MS;
      // Operators must be able to inspect an overloaded service.
      if (!starting && !request.routeOptions.config.operational) {
        throw new UnavailableError('The service is overloaded', {
          retryAfterSeconds: 10,
        });
      }
    },
  });
}

/** The response headers that pages may read. */
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
 * Allows pages of a single origin to read responses (CORS, as specified by Fetch). Routes with
 * `cors: 'any'` allow all origins. Preflight requests are answered here because they carry no
 * credential. Requests without an Origin header skip the check.
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

/** Creates a check for routes with `cors: 'any'`; a preflight is matched by its path alone. */
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

/**
 * Answers a preflight. Without the header that names the origin, it grants a foreign page nothing.
 */
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
