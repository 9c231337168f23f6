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
 * Checks every request before its body is read: who the caller is, whether the rate limit allows it
 * (429), whether the credential is valid (401) and whether the caller is permitted (403). The limit
 * is checked first, so that guessing keys is limited too and rejections carry the rate limit
 * headers. Credentials from an address over its limit are not looked up; one that is cached in
 * memory is still accepted.
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
  // For unknown paths, the caller is identified by any credential that some route accepts.
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
    // Guesses are limited even if rate limiting is otherwise disabled.
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

/** Makes the service fail at startup if a route does not declare who may call it. */
export function demandAccess(app: ServiceApp): void {
  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.access) {
      throw new Error(
        `The route ${method} ${url} does not say who may call it: give it config.access`,
      );
    }
  });
}

/** The result of checking the credentials of a request. */
interface Identification {
  caller: Caller;
  /** The budget that the request counts against; undefined for that of its address. */
  budget?: string;
  /** The ways that authenticated the caller. */
  ways: readonly Way[];
  /**
   * Reason why a credential was rejected: an invalid credential is not treated as a missing
   * one.
   */
  refusal?: unknown;
}

/** Checks every credential that a route accepts. Never throws. */
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
      const answer = way.authenticator.authenticate(request, addresses);
      // Most credentials are known in memory: their requests do not wait for a microtask.
      const found = answer instanceof Promise ? await answer : answer;
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
 * Throws if the request lacks a valid credential (401) or the caller lacks permission (403).
 *
 * @param options.origin - origin of the portal's pages.
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
  // Another site cannot send a credential that a page has to set explicitly.
  if (ways.every(({ authenticator }) => authenticator.sentByBrowsers)) {
    assertSameSite(request, origin);
  }
  for (const { permits } of ways) {
    const allowed = permits?.(caller) ?? true;
    if (allowed instanceof Promise ? await allowed : allowed) {
      return;
    }
  }
  throw new ForbiddenError();
}

/** Checks whether the `Authorization` header has a scheme that the route does not support. */
function hasForeignScheme(request: FastifyRequest, { ways }: Access): boolean {
  return (
    request.headers.authorization !== undefined &&
    ways.some(
      ({ authenticator }) => authenticator.place === 'header:authorization',
    )
  );
}

/**
 * Rejects a write that another site made a browser send with a credential that it attaches
 * automatically, such as the portal's cookie, which has SameSite=None. Browsers put an Origin on
 * every such write. A request without one is judged by Sec-Fetch-Site; one without either did not
 * come from a browser, so nobody was tricked into sending it.
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
 * Counts requests that handlers of routes with `limit: 'refusals'` reject for lack of a valid
 * credential, against the address they came from, and responds with 429 once the limit is used up.
 * Accepted requests are not counted, no matter who else shares the address.
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
