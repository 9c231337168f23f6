import type { FastifyRequest } from 'fastify';
import {
  type Access,
  type AddressLimit,
  anonymous,
  type Authenticator,
  type Caller,
  type Way,
} from '../auth/Access.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';
import { AddressBudgets, type RateLimits } from '../limits/RateLimits.ts';
import type { ServiceApp } from './ServiceApp.ts';
import {
  ForbiddenError,
  UnauthenticatedError,
} from '../errors/ServiceError.ts';

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

/** What the credentials of a request come to. */
interface Identification {
  caller: Caller;
  /** What the request counts against; undefined for the budget of its address. */
  budget?: string;
  /** The ways that know the caller. */
  ways: readonly Way[];
  /** Why a credential was refused: a wrong one is never taken for none. */
  refusal?: unknown;
}

/** Looks at every credential that a route takes. Never throws. */
async function identify(
  access: Access,
  request: FastifyRequest,
  addresses: AddressLimit,
): Promise<Identification> {
  const refusals: { place: string; error: unknown }[] = [];
  const ways: Way[] = [];
  let first: { caller: Caller; budget: string } | undefined;
  for (const way of access.ways) {
    try {
      const found = await way.authenticator.authenticate(request, addresses);
      if (found) {
        first ??= found;
        ways.push(way);
      }
    } catch (error) {
      refusals.push({ place: way.authenticator.place, error });
    }
  }
  const refusal = refusals.find(({ place }) =>
    ways.every(({ authenticator }) => authenticator.place !== place),
  );
  if (refusal) {
    return { caller: anonymous, ways: [], refusal: refusal.error };
  }
  return first ? { ...first, ways } : { caller: anonymous, ways };
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Lets a request pass, or throws what it lacks: first a valid credential (401), then
 * the permission (403).
 *
 * @param options.origin - of the portal's pages.
 */
async function assertAllowed(
  request: FastifyRequest,
  options: { access: Access; identification: Identification; origin: string },
): Promise<void> {
  const { access, identification, origin } = options;
  const { caller, ways, refusal } = identification;
  if (refusal !== undefined) {
    throw refusal;
  }
  if (caller.kind === 'anonymous') {
    if (!access.optional || hasForeignScheme(request, access)) {
      const { challenge } =
        access.ways.find(way => way.authenticator.challenge)?.authenticator ??
        {};
      throw new UnauthenticatedError(undefined, { challenge });
    }
    return;
  }
  // A credential that a page must set by itself no other site can send.
  if (ways.every(({ authenticator }) => authenticator.sentByBrowsers)) {
    assertSameSite(request, origin);
  }
  for (const { permits } of ways) {
    if (!permits || (await permits(caller))) {
      return;
    }
  }
  throw new ForbiddenError();
}

/** Tells whether there is an `Authorization` of a scheme that the route does not know. */
function hasForeignScheme(request: FastifyRequest, { ways }: Access): boolean {
  return (
    request.headers.authorization !== undefined &&
    ways.some(
      ({ authenticator }) => authenticator.place === 'header:authorization',
    )
  );
}

/**
 * Refuses a write that another site made a browser send along with a credential that it
 * keeps, such as the portal's cookie, which has SameSite=None. Browsers put an Origin on every such write. One without is judged
 * by Sec-Fetch-Site, and without both it is no browser's: nobody was tricked into it.
 */
function assertSameSite(request: FastifyRequest, origin: string): void {
  if (READS.has(request.method)) {
    return;
  }
  const { origin: sent, 'sec-fetch-site': site } = request.headers;
  const trusted =
    sent === undefined
      ? site === undefined || site === 'same-origin' || site === 'none'
      : sent === origin;
  if (!trusted) {
    throw new ForbiddenError('Writes from another origin are refused');
  }
}

/**
 * Counts what handlers of routes with `limit: 'refusals'` refuse for want of a valid
 * credential against the address that it came from, and answers 429 once its minute is
 * used up. What they take counts for nothing, whoever else is at the address.
 */
function countRefusals(app: ServiceApp, addresses: AddressBudgets): void {
  app.addHook('onRoute', route => {
    if (route.config?.limit !== 'refusals') {
      return;
    }
    const { handler } = route;
    route.handler = async function counted(request, reply) {
      try {
        return await handler.call(this, request, reply);
      } catch (error) {
        if (error instanceof UnauthenticatedError) {
          await addresses.count(request, reply);
        }
        throw error;
      }
    };
  });
}
