import type { FastifyReply, FastifyRequest } from 'fastify';
import createRouter from 'find-my-way';
import type { ServiceApp } from './ServiceApp.ts';

/**
 * Security headers for JSON APIs as recommended by OWASP. They are constants because they are the
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

/** The same for routes that pages of any origin may read. */
const OPEN_HEADERS = {
  ...SECURITY_HEADERS,
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** The same for routes whose responses browsers do not show as pages (docs/adr/0052). */
const MACHINE_HEADERS = { 'x-content-type-options': 'nosniff' } as const;
const OPEN_MACHINE_HEADERS = {
  ...MACHINE_HEADERS,
  // Pages that isolate themselves load images from here.
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/**
 * Sets the headers of every response: security headers, the request id, and those that let pages of
 * one origin read it ({@link allowOrigin}).
 */
export function hardenApp(
  app: ServiceApp,
  { origin }: { origin: string },
): void {
  const answerOrigin = allowOrigin(app, origin);
  app.addHook('onRequest', (request, reply, done) => {
    const { cors, forMachines } = request.routeConfig;
    reply.header('x-request-id', request.id).header('vary', 'Origin');
    if (forMachines) {
      reply.headers(cors === 'any' ? OPEN_MACHINE_HEADERS : MACHINE_HEADERS);
    } else {
      reply.headers(cors === 'any' ? OPEN_HEADERS : SECURITY_HEADERS);
    }
    if (!answerOrigin(request, reply)) {
      done();
    }
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
 * `cors: 'any'` allow all origins. Preflight requests are answered here, because they carry no
 * credentials. Requests without an Origin header skip the check.
 *
 * @returns a function that sets the headers and returns whether it has sent the response.
 */
function allowOrigin(
  app: ServiceApp,
  origin: string,
): (request: FastifyRequest, reply: FastifyReply) => boolean {
  const isOpen = openRoutes(app);
  return (request, reply) => {
    const asking = request.headers.origin;
    if (asking !== undefined && (asking === origin || isOpen(request))) {
      reply
        .header('access-control-allow-origin', asking)
        .header('access-control-allow-credentials', 'true')
        .header('access-control-expose-headers', READABLE);
    }
    if (request.method !== 'OPTIONS') {
      return false;
    }
    answerPreflight(reply, request.headers['access-control-request-headers']);
    return true;
  };
}

/** Creates a check for routes with `cors: 'any'`; a preflight is matched only by its path. */
function openRoutes(app: ServiceApp): (request: FastifyRequest) => boolean {
  const paths = createRouter({ ignoreTrailingSlash: true });
  const known = new Set<string>();
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.cors === 'any' && !known.has(url)) {
      known.add(url);
      paths.on('OPTIONS', url, () => {});
    }
  });
  return ({ method, routeConfig, url }) =>
    method === 'OPTIONS'
      ? paths.find('OPTIONS', url.split('?', 1)[0]) !== null
      : routeConfig.cors === 'any';
}

/**
 * Answers a preflight. Without `Access-Control-Allow-Origin`, the response grants a foreign page
 * nothing.
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
