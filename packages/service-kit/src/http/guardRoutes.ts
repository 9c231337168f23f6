import type { Authenticator, Way } from '../auth/Access.ts';
import { assertAllowed } from '../auth/assertAllowed.ts';
import { anonymous } from '../auth/Caller.ts';
import { identify } from '../auth/identify.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';
import { AddressBudgets } from '../limits/AddressBudgets.ts';
import type { RateLimits } from '../limits/RateLimits.ts';
import { countRefusals } from './countRefusals.ts';
import type { ServiceApp } from './ServiceApp.ts';

/**
 * Asks of every request, before its body is read: who makes it, whether the budget
 * allows it (429), whether the credential is valid (401), whether the caller may (403).
 * The limit comes first, so that guessing keys is limited too and that a refusal
 * carries the headers. What an address beyond its budget sends is not even looked up;
 * a credential that is known in memory passes all the same.
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
  const { perMinute } = rateLimit;
  const addresses = new AddressBudgets({ limits, rateLimit });
  countRefusals(app, addresses);
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
    const identification = await identify(access, request, addresses);
    // Guesses end where nothing else is limited, too.
    const isGuess = identification.refusal !== undefined;
    const counts =
      rateLimit.enabled ||
      (isGuess && rateLimit.anonymousPerMinute !== undefined);
    if (counts && config.limit === undefined) {
      const { budget: id } = identification;
      const budget = id ? { id, perMinute } : addresses.of(request);
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
