import {
  addressBudget,
  ForbiddenError,
  InvalidRequestError,
  RateLimitedError,
  type RateLimits,
  readTextMembers,
  ServiceError,
  isJsonObject,
} from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KnownCredentials } from '../projects/KnownCredentials.ts';
import type { KeyOwner } from '../projects/Credential.ts';
import { keyOf } from './sdkRequest.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The project of the request's key; set on the routes that receive events. */
    projectId?: string;
    /** The key found at the start of the body, if it is valid. */
    knownKey?: { key: string; owner: KeyOwner };
  }
}

/** Maximum number of different keys looked up per request: those of its events, and the header. */
const MOST_KEYS = 2;

/** Reading a body up to this length costs less than checking whether it is allowed. */
const CHEAP_BYTES = 64 * 1024;

const KEY_MEMBERS = ['api_key', 'token', '$token'] as const;

/**
 * Finds the project of a request's events, and checks its rate limit. The key is in the
 * body, so it is looked for twice: at the start of the body before the rest is read, and
 * in the whole parsed body before that is validated.
 */
export interface CaptureGuard {
  /**
   * Creates a recognizer of the sender by the start of the body or by `X-Api-Key`. It
   * returns false without a key: a small body may be read, as its key may follow. It
   * throws a ServiceError 401 for an invalid key, and a RateLimitedError if the address
   * has used up its limit.
   * @param assertRoom - throws if the project may not send a large body now.
   */
  recognizer(
    assertRoom: (owner: KeyOwner) => Promise<void>,
  ): (request: FastifyRequest, start: string) => Promise<boolean>;
  /**
   * Sets the project of a contract request, and counts its events.
   * @throws InvalidRequestError if the body is not an object.
   * @throws ServiceError 401 without a valid key.
   * @throws RateLimitedError if the project may not send all of it, or if the address
   *   has tried too many unknown keys.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /**
   * Sets the project of a request from all keys in it.
   * @throws ServiceError 401 without a valid key, or for keys of several projects.
   * @throws ForbiddenError for pages of an origin that the project does not list.
   */
  identify(
    request: FastifyRequest,
    reply: FastifyReply,
    keys: readonly string[],
  ): Promise<void>;
  /** @throws RateLimitedError if the project has used up its limit for the minute. */
  assertLeft(owner: KeyOwner): Promise<void>;
  /** Counts a request without a project against its address. */
  countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** @param options.perMinute - limit of events per project; undefined for no limit. */
export function captureGuard(options: {
  known: KnownCredentials;
  limits: RateLimits;
  perMinute: number | undefined;
  /** Called with the number of refused events. */
  onRefused: (events: number) => void;
  /** Called with a key that no project has. */
  onUnknownKey: (key: string) => void;
}): CaptureGuard {
  const { known, limits, perMinute, onRefused, onUnknownKey } = options;

  const assertLeft = async (id: string): Promise<void> => {
    if (perMinute !== undefined) {
      await limits.assertLeft({ id, perMinute });
    }
  };

  /** Finds the owner of all the keys; undefined if one of them is invalid. */
  const ownerOf = async (
    request: FastifyRequest,
    keys: readonly string[],
  ): Promise<KeyOwner | undefined> => {
    const { knownKey } = request;
    if (keys.length === 1) {
      const [key] = keys;
      const owner =
        key === knownKey?.key ? knownKey.owner : known.kept(key, 'capture');
      if (owner) {
        return owner;
      }
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
        // A request that is refused as a whole does not reduce the limit for smaller
        // ones.
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
      keys.slice(0, 1).forEach(onUnknownKey);
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
        keys.slice(0, 1).forEach(onUnknownKey);
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
      if (!isJsonObject(body)) {
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

/** Returns the rate limit key of a project's events. */
export function projectBudget({
  projectId,
}: Pick<KeyOwner, 'projectId'>): string {
  return `project:${projectId}`;
}

/** Checks whether an origin is the listed one, or a subdomain of it: `https://*.example.com`. */
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

/**
 * Adds the key of the header to those of the body, so that an invalid one is refused even next to a
 * valid one.
 */
export function withHeader(
  { headers }: FastifyRequest,
  keys: readonly (string | undefined)[],
): string[] {
  return [...new Set([...keys, headers['x-api-key']])].filter(
    key => typeof key === 'string',
  );
}

/** Treats a bearer token as the key, on the routes of SDKs that send it like this. */
export async function acceptBearer({ headers }: FastifyRequest): Promise<void> {
  const [, token] =
    /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  headers['x-api-key'] ??= token;
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

/**
 * Returns the error for a batch larger than the limit of a whole minute, which would
 * always be refused.
 */
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
