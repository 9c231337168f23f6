import type { FastifyRequest } from 'fastify';
import type { Authenticator, Way } from '../auth/Access.ts';
import { assertAllowed } from '../auth/assertAllowed.ts';
import { anonymous } from '../auth/Caller.ts';
import { budgetOf } from '../auth/CredentialSet.ts';
import { identify } from '../auth/identify.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';
import type { Budget, RateLimits } from '../limits/RateLimits.ts';
import type { ServiceApp } from './ServiceApp.ts';

/**
 * Asks of every request, before its body is read: who makes it, whether the budget
 * allows it (429), whether the credential is valid (401), whether the caller may (403).
 * The limit comes first, so that guessing keys is limited too and that a refusal
 * carries the headers.
 */
export function guardRoutes(
  app: ServiceApp,
  options: {
    limits: RateLimits;
    rateLimit: CommonConfig['rateLimit'];
    origin: string;
  },
): void {
  const { limits, rateLimit, origin } = options;
  app.decorateRequest('caller');
  // What any route takes says who calls where there is no route.
  const ways = new Map<Authenticator, Way>();
  app.addHook('onRoute', ({ config }) => {
    for (const { authenticator } of config?.access?.ways ?? []) {
      ways.set(authenticator, { authenticator });
    }
  });
  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions;
    const access = config.access ?? {
      ways: [...ways.values()],
      optional: true,
    };
    request.caller = anonymous;
    const identification = await identify(access, request);
    if (rateLimit.enabled && config.limit !== false) {
      const budget = budgetFor(request, identification.budget, rateLimit);
      await limits.consume(reply, { budget });
    }
    if (config.access) {
      await assertAllowed(request, { access, identification, origin });
    }
    request.caller = identification.caller;
  });
}

/** Refuses to start with a route that does not say who may call it. */
export function demandAccess(app: ServiceApp): void {
  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.access) {
      throw new Error(
        `The route ${method} ${url} does not say who may call it: give it config.access`,
      );
    }
  });
}

function budgetFor(
  request: FastifyRequest,
  known: string | undefined,
  { perMinute, anonymousPerMinute }: CommonConfig['rateLimit'],
): Budget {
  return known
    ? { id: known, perMinute }
    : {
        id: budgetOf('address', request.ip),
        perMinute: anonymousPerMinute ?? perMinute,
      };
}
