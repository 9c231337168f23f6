import underPressure from '@fastify/under-pressure';
import { UnavailableError } from '../errors/index.ts';
import { allowOrigin } from './allowOrigin.ts';
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
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
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
        throw new UnavailableError('The service has too much to do', {
          retryAfterSeconds: 10,
        });
      }
    },
  });
}
