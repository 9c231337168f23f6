import {
  addressBudget,
  InvalidRequestError,
  RateLimitedError,
  type RateLimits,
  readTextMembers,
  ServiceError,
} from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
  KeyOwner,
  KnownCredentials,
} from '../projects/KnownCredentials.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The project of the key that the request brings; set on the routes that take events. */
    projectId?: string;
    /** The key that the start of the body holds, where it is valid. */
    knownKey?: { key: string; owner: KeyOwner };
  }
}

/** Bodies up to this length cost less to read than to ask whether they may come. */
const CHEAP_BYTES = 64 * 1024;

const KEY_MEMBERS = ['api_key', 'token'] as const;

/**
 * Finds whose events a request brings, and whether the project may send so many now. The
 * key is in the body, so it is looked for twice: at the start of the body, before the rest
 * is read, and among all that was parsed, before that is checked.
 */
export interface CaptureGuard {
  /**
   * Knows the sender by the start of the body or by `X-Api-Key`.
   *
   * @returns false where there is no key: the body may be small, and hold it further on.
   * @throws ServiceError 401 for a key that is not valid.
   * @throws RateLimitedError when nothing is left to the project, or to the address.
   */
  recognize(request: FastifyRequest, start: string): Promise<boolean>;
  /**
   * Sets the project of a request, and counts its events.
   *
   * @throws InvalidRequestError when the body is no object.
   * @throws ServiceError 401 without a valid key.
   * @throws RateLimitedError when the project may not send all of it, or when the address
   *   has shown too many keys that are not known.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Counts a request that brings no project against its address. */
  countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** @param options.perMinute - events of one project; undefined for no limit. */
export function captureGuard(options: {
  known: KnownCredentials;
  limits: RateLimits;
  perMinute: number | undefined;
  /** Told how many events were refused. */
  onRefused: (events: number) => void;
}): CaptureGuard {
  const { known, limits, perMinute, onRefused } = options;

  const assertLeft = async (id: string): Promise<void> => {
    if (perMinute !== undefined) {
      await limits.assertLeft({ id, perMinute });
    }
  };

  /** Finds who owns all of the keys; undefined where one of them is not valid. */
  const ownerOf = async (
    request: FastifyRequest,
    keys: readonly string[],
  ): Promise<KeyOwner | undefined> => {
    const { knownKey } = request;
    if (keys.length === 1 && keys[0] === knownKey?.key) {
      return knownKey.owner;
    }
    const owners = await Promise.all(
      keys.map(key =>
        known.find(key, {
          kind: 'capture',
          beforeGuess: () => assertLeft(addressBudget(request.ip)),
        }),
      ),
    );
    return owners.includes(undefined) ? undefined : owners[0];
  };

  const count = async (
    reply: FastifyReply,
    { id, events }: { id: string; events: number },
  ): Promise<void> => {
    if (perMinute === undefined) {
      return;
    }
    const budget = { id, perMinute };
    try {
      await limits.consume(reply, { budget, points: events });
    } catch (error) {
      if (error instanceof RateLimitedError) {
        onRefused(events);
        // What was refused as a whole takes nothing from what smaller requests may.
        await limits
          .consume(reply, { budget, points: -events })
          .catch(() => undefined);
        if (events > perMinute) {
          throw neverFits(perMinute, error);
        }
      }
      throw error;
    }
  };

  const countAddress = (request: FastifyRequest, reply: FastifyReply) =>
    count(reply, { id: addressBudget(request.ip), events: 1 });

  return {
    countAddress,
    async recognize(request, start) {
      const keys = keysOf(request, readTextMembers(start, KEY_MEMBERS));
      if (keys.length === 0) {
        await assertLeft(addressBudget(request.ip));
        return false;
      }
      const owner = await ownerOf(request, keys);
      if (!owner) {
        throw refusal(keys);
      }
      request.knownKey = { key: keys[0], owner };
      const length = request.headers['content-length'];
      if (length === undefined || Number(length) > CHEAP_BYTES) {
        await assertLeft(budgetOf(owner));
      }
      return true;
    },
    async admit(request, reply) {
      const { body } = request;
      if (!isObject(body)) {
        throw new InvalidRequestError('The request body must be an object', {
          field: 'body',
          constraint: 'type',
        });
      }
      const keys = keysOf(request, body);
      const owner = await ownerOf(request, keys);
      if (!owner) {
        await countAddress(request, reply);
        throw refusal(keys);
      }
      request.projectId = owner.projectId;
      const events = Array.isArray(body.batch)
        ? Math.max(1, body.batch.length)
        : 1;
      await count(reply, { id: budgetOf(owner), events });
    },
  };
}

function budgetOf({ projectId }: KeyOwner): string {
  return `project:${projectId}`;
}

/** Reads the key of the body and that of the header: a wrong one is refused beside a good one. */
function keysOf(
  request: FastifyRequest,
  body: Record<string, unknown>,
): string[] {
  const inBody = KEY_MEMBERS.map(name => body[name]).find(
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

/** The error of a batch that is more than a whole minute takes: it is refused at any time. */
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
