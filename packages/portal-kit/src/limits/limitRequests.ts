import { AuthService, HttpAuthService } from '@backstage/backend-plugin-api';
import { Request, RequestHandler } from 'express';
import { onceAnswered } from '../http/onceAnswered';
import {
  addressBudget,
  budgetOf,
  ExternalSubjects,
  MinuteLimits,
} from './budgetOf';
import { RateLimits } from './RateLimits';

/** Thrown if the caller is over the limit; becomes 429. */
class RateLimitedError extends Error {
  readonly name = 'RateLimitedError';
  readonly statusCode = 429;

  /** @param retryAfter - whole seconds until the next request is allowed. */
  constructor(retryAfter: number) {
    super(`Too many requests; try again in ${retryAfter} s`);
  }
}

/**
 * Counts requests and sets the headers of all their responses: `X-RateLimit-Limit`, `-Remaining`
 * and `-Reset` (Unix seconds). Over the limit, passes on an error with status 429 and
 * `Retry-After`.
 *
 * @param options.counts - which requests count; others get no headers.
 */
export function limitRequests(options: {
  auth: AuthService;
  httpAuth: HttpAuthService;
  limits: RateLimits;
  perMinute: MinuteLimits;
  subjects: ExternalSubjects;
  counts: (req: Request) => boolean;
}): RequestHandler {
  const { counts, limits } = options;
  return async (req, res, next) => {
    try {
      const budget = counts(req) ? await budgetOf(req, options) : undefined;
      if (!budget) {
        next();
        return;
      }
      const spent = await limits.consume(budget);
      res.set({
        'X-RateLimit-Limit': String(spent.limit),
        'X-RateLimit-Remaining': String(spent.remaining),
        'X-RateLimit-Reset': String(spent.resetAt),
      });
      if (spent.exceeded) {
        res.set('Retry-After', String(spent.resetAfter));
        next(new RateLimitedError(spent.resetAfter));
        return;
      }
      next();
    } catch (error) {
      next(error);
    }
  };
}

/** Statuses of signed requests whose sender could not be authenticated. */
const REFUSALS: ReadonlySet<number> = new Set([401, 413]);

/**
 * Counts requests rejected for their signature against their address, together with the address's other
 * requests without a credential. Over the limit, further requests get 429 before their bodies, which the
 * signatures cover, are read. Requests with a valid service token are not affected.
 *
 * @param options.signed - which requests are signed; others are not affected.
 */
export function limitRefusals(options: {
  auth: AuthService;
  httpAuth: HttpAuthService;
  limits: RateLimits;
  perMinute: MinuteLimits;
  subjects: ExternalSubjects;
  signed: (req: Request) => boolean;
}): RequestHandler {
  const { limits, perMinute, signed } = options;
  return async (req, res, next) => {
    try {
      const address = addressBudget(req, perMinute);
      const budget = signed(req) ? await budgetOf(req, options) : undefined;
      if (budget?.key !== address.key) {
        next();
        return;
      }
      const { exceeded, resetAfter } = await limits.look(address);
      if (exceeded) {
        res.set('Retry-After', String(resetAfter));
        next(new RateLimitedError(resetAfter));
        return;
      }
      onceAnswered(res, () => {
        if (REFUSALS.has(res.statusCode)) {
          void limits.consume(address);
        }
      });
      next();
    } catch (error) {
      next(error);
    }
  };
}
