import {
  addressBudget,
  ForbiddenError,
  InvalidRequestError,
  RateLimitedError,
  type RateLimits,
  readTextMembers,
  ServiceError,
} from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KnownCredentials } from '../projects/KnownCredentials.ts';
import type { KeyOwner } from '../projects/ProjectStore.ts';
import { isObject } from './isObject.ts';
import { keyOf } from './sdkRequest.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The project of the key that the request brings; set on the routes that take events. */
    projectId?: string;
    /** The key that the start of the body holds, where it is valid. */
    knownKey?: { key: string; owner: KeyOwner };
  }
}

/** Different keys of one request that are looked up: those of its events, and the header. */
const MOST_KEYS = 2;

/** Bodies up to this length cost less to read than to ask whether they may come. */
const CHEAP_BYTES = 64 * 1024;

const KEY_MEMBERS = ['api_key', 'token', '$token'] as const;

/**
 * Finds whose events a request brings, and whether the project may send so many now. The
 * key is in the body, so it is looked for twice: at the start of the body, before the rest
 * is read, and among all that was parsed, before that is checked.
 */
export interface CaptureGuard {
  /**
   * Makes what knows the sender by the start of the body or by `X-Api-Key`. It answers
   * false where there is no key: the body may be small, and hold it further on. It throws
   * a ServiceError 401 for a key that is not valid, and a RateLimitedError when nothing is
   * left to the address.
   *
   * @param assertRoom - throws where the project may send no large body now.
   */
  recognizer(
    assertRoom: (owner: KeyOwner) => Promise<void>,
  ): (request: FastifyRequest, start: string) => Promise<boolean>;
  /**
   * Sets the project of a request of the contract, and counts its events.
   *
   * @throws InvalidRequestError when the body is no object.
   * @throws ServiceError 401 without a valid key.
   * @throws RateLimitedError when the project may not send all of it, or when the address
   *   has shown too many keys that are not known.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /**
   * Sets the project of a request by all the keys that it names.
   *
   * @throws ServiceError 401 without a valid key, and for keys of several projects.
   * @throws ForbiddenError for pages of an origin that the project does not list.
   */
  identify(
    request: FastifyRequest,
    reply: FastifyReply,
    keys: readonly string[],
  ): Promise<void>;
  /** @throws RateLimitedError when the minute of a project is used up. */
  assertLeft(owner: KeyOwner): Promise<void>;
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
    const [first] = owners;
    return owners.every(owner => owner?.projectId === first?.projectId)
      ? first
      : undefined;
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

  const identify = async (
    request: FastifyRequest,
    reply: FastifyReply,
    keys: readonly string[],
  ): Promise<KeyOwner> => {
    const isLookedUp = keys.length > 0 && keys.length <= MOST_KEYS;
    const owner = isLookedUp ? await ownerOf(request, keys) : undefined;
    if (!owner) {
      await countAddress(request, reply);
      throw refusal(keys);
    }
    request.projectId = owner.projectId;
    return owner;
  };

  return {
    countAddress,
    assertLeft: owner => assertLeft(projectBudget(owner)),
    recognizer: assertRoom => async (request, start) => {
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
        await assertRoom(owner);
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
      const owner = await identify(request, reply, keysOf(request, body));
      const events = Array.isArray(body.batch)
        ? Math.max(1, body.batch.length)
        : 1;
      try {
        await count(reply, { id: projectBudget(owner), events });
      } catch (error) {
        if (error instanceof ServiceError) {
          onRefused(events);
        }
        throw error;
      }
    },
    async identify(request, reply, keys) {
      const { origins } = await identify(request, reply, keys);
      const { origin } = request.headers;
      if (origins && origin && !origins.some(each => covers(each, origin))) {
        reply.removeHeader('access-control-allow-origin');
        throw new ForbiddenError(
          'The project does not accept events from pages on this origin',
        );
      }
    },
  };
}

/** Names the budget of a project's events. */
export function projectBudget({
  projectId,
}: Pick<KeyOwner, 'projectId'>): string {
  return `project:${projectId}`;
}

/** Tells whether an origin is the listed one, or beneath it: `https://*.example.com`. */
function covers(listed: string, origin: string): boolean {
  const [before, after] = listed.split('*', 2);
  return after === undefined
    ? origin === listed
    : origin.length > listed.length - 1 &&
        origin.startsWith(before) &&
        origin.endsWith(after);
}

function keysOf(
  request: FastifyRequest,
  body: Record<string, unknown>,
): string[] {
  return withHeader(request, [keyOf(body)]);
}

/** Adds the key of the header to those of the body: a wrong one is refused beside a good one. */
export function withHeader(
  { headers }: FastifyRequest,
  keys: readonly (string | undefined)[],
): string[] {
  return [...new Set([...keys, headers['x-api-key']])].filter(
    key => typeof key === 'string',
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
