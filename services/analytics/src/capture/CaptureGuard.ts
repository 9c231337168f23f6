import {
  addressBudget,
  RateLimitedError,
  type RateLimits,
  ServiceError,
} from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KnownCredentials } from '../projects/KnownCredentials.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the key that the request brings; set on the routes that take events. */
    projectId?: string;
  }
}

/**
 * Asks of a request with events whose they are, and whether the project may send so
 * many now. The key is in the body, so that it is asked once the body was read and
 * before it is checked.
 */
export class CaptureGuard {
  readonly #known: KnownCredentials;
  readonly #limits: RateLimits;
  readonly #perMinute: number | undefined;
  readonly #onRefused: (events: number) => void;

  /** @param options.perMinute - events of one project; undefined for no limit. */
  constructor(options: {
    known: KnownCredentials;
    limits: RateLimits;
    perMinute: number | undefined;
    onRefused: (events: number) => void;
  }) {
    this.#known = options.known;
    this.#limits = options.limits;
    this.#perMinute = options.perMinute;
    this.#onRefused = options.onRefused;
  }

  /**
   * @throws ServiceError 401 without a valid key.
   * @throws RateLimitedError when the project may not send all of it, or when the address
   *   has shown too many keys that are not known.
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const body = (request.body ?? {}) as Record<string, unknown>;
    const keys = keysOf(request, body);
    const beforeGuess = () => this.#assertLeft(request);
    const owners = await Promise.all(
      keys.map(key => this.#known.find(key, { kind: 'capture', beforeGuess })),
    );
    const [owner] = owners;
    if (!owner || owners.includes(undefined)) {
      await this.countAddress(request, reply);
      throw refusal(keys);
    }
    request.projectId = owner.projectId;
    const events = Array.isArray(body.batch)
      ? Math.max(1, body.batch.length)
      : 1;
    await this.#count(reply, { id: `project:${owner.projectId}`, events });
  }

  /** Counts a request that brings no project against its address. */
  async countAddress(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    await this.#count(reply, { id: addressBudget(request.ip), events: 1 });
  }

  async #assertLeft({ ip }: FastifyRequest): Promise<void> {
    const perMinute = this.#perMinute;
    if (perMinute !== undefined) {
      await this.#limits.assertLeft({ id: addressBudget(ip), perMinute });
    }
  }

  async #count(
    reply: FastifyReply,
    { id, events }: { id: string; events: number },
  ): Promise<void> {
    if (this.#perMinute === undefined) {
      return;
    }
    const budget = { id, perMinute: this.#perMinute };
    try {
      await this.#limits.consume(reply, { budget, points: events });
    } catch (error) {
      if (error instanceof RateLimitedError) {
        this.#onRefused(events);
        // What was refused as a whole takes nothing from what smaller requests may.
        await this.#limits
          .consume(reply, { budget, points: -events })
          .catch(() => undefined);
        if (events > this.#perMinute) {
          throw neverFits(this.#perMinute, error);
        }
      }
      throw error;
    }
  }
}

/** The key of the body and that of the header: a wrong one is refused beside a good one. */
function keysOf(
  request: FastifyRequest,
  body: Record<string, unknown>,
): string[] {
  const inBody = [body.api_key, body.token].find(
    each => typeof each === 'string' && each !== '',
  );
  const inHeader = request.headers['x-api-key'];
  return [...new Set([inBody, inHeader])].filter(
    each => typeof each === 'string',
  );
}

function refusal(keys: readonly string[]): ServiceError {
  return keys.length === 0
    ? new ServiceError('unauthenticated', 'A project key is required', {
        field: 'api_key',
        constraint: 'required',
      })
    : new ServiceError('unauthenticated', 'The project key is not valid', {
        field: 'api_key',
        constraint: 'unknown',
      });
}

/** What is more than a whole minute takes would be refused at any time. */
function neverFits(most: number, cause: RateLimitedError): ServiceError {
  return new ServiceError(
    'rateLimited',
    `A batch may hold at most ${most} events, as many as a project may send in a minute. Split it.`,
    {
      field: 'batch',
      constraint: 'maxItems',
      headers: cause.fault.headers,
      cause,
    },
  );
}
