import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import underPressure from '@fastify/under-pressure';
import { UnavailableError } from '../errors/index.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** What every answer of an API has to say to browsers, and when to say no. */
export async function hardenApp(
  app: ServiceApp,
  options: { origin: string; eventLoopDelay: number },
): Promise<void> {
  const { origin, eventLoopDelay } = options;
  await app.register(cookie);
  await app.register(cors, {
    origin: [origin],
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
    ],
    maxAge: 600,
    strictPreflight: false,
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Pages of the portal show images that services hold.
    crossOriginResourcePolicy: { policy: 'same-site' },
    frameguard: { action: 'deny' },
  });
  await app.register(underPressure, {
    maxEventLoopDelay: eventLoopDelay,
    pressureHandler(request) {
      // Operators must see an overloaded service, not only its callers.
      if (!request.routeOptions.config.operational) {
        throw new UnavailableError('The service has too much to do', {
          retryAfterSeconds: 10,
        });
      }
    },
  });
}
