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
import type { KeyOwner } from '../projects/Credential.ts';
import type { CredentialStore } from '../projects/storage/CredentialStore.ts';
import { KEY_NAMES, keyOf } from './sdkRequest.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The project of the request's key; set on the routes that receive events. */
    projectId?: string;
  }
}

/** Maximum number of different keys per request, in its events and its header. */
const MOST_KEYS = 2;

/** Bodies up to this many bytes cost less to read than to check beforehand. */
const CHEAP_BYTES = 64 * 1024;

interface CaptureGuardOptions {
  credentials: CredentialStore;
  limits: RateLimits;
  /** The limit of events per project; undefined for none. */
  perMinute: number | undefined;
  /** Called with the number of refused events. */
  onRefused: (events: number) => void;
  /** Called with each key that belongs to no project. */
  onUnknownKey: (key: string) => void;
}

/**
 * Finds the project of a request's events, and checks its rate limit. The key is in the
 * body, so the guard looks for it twice: at the start of the body before the rest is read, and
 * in the whole parsed body before validation.
 */
export class CaptureGuard {
  readonly #options: CaptureGuardOptions;

  constructor(options: CaptureGuardOptions) {
    this.#options = options;
  }

  /**
   * Recognizes the sender by the key at the start of the body or in `X-Api-Key`.
   * @param assertRoom - throws if the project may not send a large body now.
   * @returns false if there is no key; a small body may then be read, because its key may
   *   come later.
   * @throws ServiceError 401 for an invalid key.
   * @throws RateLimitedError if the address has used up its limit.
   */
  async recognize(
    request: FastifyRequest,
    start: string,
    assertRoom: (owner: KeyOwner) => Promise<void>,
  ): Promise<boolean> {
    const keys = keysOf(request, readTextMembers(start, KEY_NAMES));
    if (keys.length === 0) {
      await this.#assertLeft(addressBudget(request.ip));
      return false;
    }
    const owner = await this.#ownerOf(request, keys);
    if (!owner) {
      this.#refuse(keys);
    }
    const length = request.headers['content-length'];
    if (length === undefined || Number(length) > CHEAP_BYTES) {
      await assertRoom(owner);
    }
    return true;
  }

  /**
   * Sets the project of a contract request, and counts its events.
   * @throws InvalidRequestError if the body is not an object.
   * @throws ServiceError 401 without a valid key.
   * @throws RateLimitedError if the events exceed the project's limit, or if the address has
   *   tried too many unknown keys.
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { body } = request;
    if (!isJsonObject(body)) {
      throw new InvalidRequestError('The request body must be an object', {
        field: 'body',
        constraint: 'type',
      });
    }
    const owner = await this.#identify(request, reply, keysOf(request, body));
    const events = Array.isArray(body.batch)
      ? Math.max(1, body.batch.length)
      : 1;
    try {
      await this.#count(reply, { id: projectBudget(owner), events });
    } catch (error) {
      if (error instanceof ServiceError) {
        this.#options.onRefused(events);
      }
      throw error;
    }
  }

  /**
   * Sets the project of a request from all keys in it.
   * @throws ServiceError 401 without a valid key, or for keys of several projects.
   * @throws ForbiddenError for pages whose origin the project does not list.
   */
  async identify(
    request: FastifyRequest,
    reply: FastifyReply,
    keys: readonly string[],
  ): Promise<void> {
    const { origins } = await this.#identify(request, reply, keys);
    const { origin } = request.headers;
    if (origins && origin && !origins.some(each => covers(each, origin))) {
      reply.removeHeader('access-control-allow-origin');
      throw new ForbiddenError(
        'The project does not accept events from pages on this origin',
      );
    }
  }

  /** @throws RateLimitedError if the project has used up its limit for the minute. */
  assertLeft(owner: KeyOwner): Promise<void> {
    return this.#assertLeft(projectBudget(owner));
  }

  /**
   * Counts a failed request against the limit of its address, unless it was already
   * counted: the project of an unreadable body is unknown.
   */
  async countFailure(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (!reply.hasHeader('x-ratelimit-limit')) {
      await this.#countAddress(request, reply).catch(() => undefined);
    }
  }

  async #identify(
    request: FastifyRequest,
    reply: FastifyReply,
    keys: readonly string[],
  ): Promise<KeyOwner> {
    const isLookedUp = keys.length > 0 && keys.length <= MOST_KEYS;
    const owner = isLookedUp ? await this.#ownerOf(request, keys) : undefined;
    if (!owner) {
      await this.#countAddress(request, reply);
      this.#refuse(keys);
    }
    request.projectId = owner.projectId;
    return owner;
  }

  /** Returns the common owner of all keys; undefined if a key is invalid or they differ. */
  async #ownerOf(
    request: FastifyRequest,
    keys: readonly string[],
  ): Promise<KeyOwner | undefined> {
    const { credentials } = this.#options;
    const kept =
      keys.length === 1 ? credentials.kept(keys[0], 'capture') : undefined;
    if (kept) {
      return kept;
    }
    const owners = await Promise.all(
      keys.map(key =>
        credentials.find(key, {
          kind: 'capture',
          beforeGuess: () => this.#assertLeft(addressBudget(request.ip)),
        }),
      ),
    );
    const [first] = owners;
    return owners.every(owner => owner?.projectId === first?.projectId)
      ? first
      : undefined;
  }

  #refuse(keys: readonly string[]): never {
    keys.slice(0, 1).forEach(this.#options.onUnknownKey);
    const isMissing = keys.length === 0;
    throw new ServiceError(
      'unauthenticated',
      isMissing ? 'A project key is required' : 'The project key is not valid',
      { field: 'api_key', constraint: isMissing ? 'required' : 'unknown' },
    );
  }

  async #assertLeft(id: string): Promise<void> {
    const { limits, perMinute } = this.#options;
    if (perMinute !== undefined) {
      await limits.assertLeft({ id, perMinute });
    }
  }

  #countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.#count(reply, { id: addressBudget(request.ip), events: 1 });
  }

  async #count(
    reply: FastifyReply,
    { id, events }: { id: string; events: number },
  ): Promise<void> {
    const { limits, perMinute } = this.#options;
    if (perMinute === undefined) {
      return;
    }
    const budget = { id, perMinute };
    try {
      await limits.consume(reply, { budget, points: events });
    } catch (error) {
      if (error instanceof RateLimitedError) {
        // A refused request must not use up the limit for smaller ones.
        await limits
          .consume(reply, { budget, points: -events })
          .catch(() => undefined);
        if (events > perMinute) {
          throw neverFits(perMinute, error);
        }
      }
      throw error;
    }
  }
}

/** Returns the rate limit key of a project's events. */
export function projectBudget({
  projectId,
}: Pick<KeyOwner, 'projectId'>): string {
  return `project:${projectId}`;
}

/**
 * Checks whether an origin is the listed one, or matches its wildcard, as in
 * `https://*.example.com`.
 */
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
 * Returns the different keys in the body and the header, so that an invalid key is refused
 * even next to a valid one.
 */
export function withHeader(
  { headers }: FastifyRequest,
  keys: readonly (string | undefined)[],
): string[] {
  return [...new Set([...keys, headers['x-api-key']])].filter(
    key => typeof key === 'string',
  );
}

/**
 * Returns the error for a batch that exceeds the limit for a whole minute, so that retrying
 * is pointless.
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
