import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type Access,
  anonymous,
  type Authenticator,
  type Caller,
  type Way,
} from '../auth/Access.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';
import {
  AddressBudgets,
  type Budget,
  type RateLimits,
} from '../limits/RateLimits.ts';
import { type Identification, identify } from './identify.ts';
import type { ServiceApp } from './ServiceApp.ts';
import {
  ForbiddenError,
  UnauthenticatedError,
} from '../errors/ServiceError.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Reads of the portal's pages per minute and user. */
const PAGES_PER_MINUTE = 600;

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
  const pagesPerMinute = Math.max(
    perMinute,
    rateLimit.pagesPerMinute ?? PAGES_PER_MINUTE,
  );
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
  const everyWay = (): Access => ({ ways: [...ways.values()], optional: true });
  const budgetFor = (
    request: FastifyRequest,
    { budget: id, fromPages }: Identification,
  ): Budget => {
    if (id === undefined) {
      return addresses.of(request);
    }
    return fromPages && READS.has(request.method)
      ? { id: `${id}:pages`, perMinute: pagesPerMinute }
      : { id, perMinute };
  };
  const allow = (
    request: FastifyRequest,
    identification: Identification,
  ): Promise<void> | undefined => {
    const { access } = request.routeConfig;
    const allowed =
      access && assertAllowed(request, { access, identification, origin });
    if (allowed) {
      return allowed.then(() => {
        request.caller = identification.caller;
      });
    }
    request.caller = identification.caller;
    return undefined;
  };
  const admit = (
    request: FastifyRequest,
    reply: FastifyReply,
    identification: Identification,
  ): Promise<void> | undefined => {
    // Guesses are limited even if rate limiting is otherwise disabled.
    const isGuess = identification.refusal !== undefined;
    const counts =
      rateLimit.enabled ||
      (isGuess && rateLimit.anonymousPerMinute !== undefined);
    if (!counts || request.routeConfig.limit !== undefined) {
      return allow(request, identification);
    }
    const budget = budgetFor(request, identification);
    const counted = limits.consumeSoon(reply, { budget });
    return counted
      ? counted.then(() => allow(request, identification))
      : allow(request, identification);
  };
  const guard = (request: FastifyRequest, reply: FastifyReply) => {
    const access = request.routeConfig.access ?? everyWay();
    request.caller = anonymous;
    const identified = identify(access, request, addresses);
    return identified instanceof Promise
      ? identified.then(each => admit(request, reply, each))
      : admit(request, reply, identified);
  };
  // Avoids promises if credentials and counts are in memory, so that the request waits for nothing.
  app.addHook('onRequest', (request, reply, done) => {
    let guarded: Promise<void> | undefined;
    try {
      guarded = guard(request, reply);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (guarded) {
      guarded.then(() => done(), done);
    } else {
      done();
    }
  });
}

/** Makes startup fail if a route does not declare who may call it. */
export function demandAccess(app: ServiceApp): void {
  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.access) {
      throw new Error(
        `The route ${method} ${url} does not say who may call it: give it config.access`,
      );
    }
  });
}

/**
 * Throws if the request lacks a valid credential (401) or the caller lacks permission (403).
 *
 * @param options.origin - origin of the portal's pages.
 */
function assertAllowed(
  request: FastifyRequest,
  options: { access: Access; identification: Identification; origin: string },
): Promise<void> | undefined {
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
    return undefined;
  }
  // If browsers do not send the credential automatically, another site cannot make them send it.
  if (ways.every(({ authenticator }) => authenticator.sentByBrowsers)) {
    assertSameSite(request, origin);
  }
  return assertPermitted(caller, ways);
}

/** Throws, or rejects, with ForbiddenError unless one of the ways permits the caller. */
function assertPermitted(
  caller: Caller,
  ways: readonly Way[],
): Promise<void> | undefined {
  for (let index = 0; index < ways.length; index += 1) {
    const allowed = ways[index].permits?.(caller) ?? true;
    if (allowed instanceof Promise) {
      return allowed.then(each =>
        each ? undefined : assertPermitted(caller, ways.slice(index + 1)),
      );
    }
    if (allowed) {
      return undefined;
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
