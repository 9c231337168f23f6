import type { FastifyRequest } from 'fastify';

/** A caller without credentials. */
interface AnonymousCaller {
  readonly kind: 'anonymous';
}

/** The holder of a key, token or password in the configuration. */
export interface CredentialCaller {
  readonly kind: 'apiKey' | 'basic' | 'bearer';
  /** The name given in the configuration. */
  readonly id: string;
  readonly scopes: readonly string[];
}

/** A user of the portal. */
interface UserCaller {
  readonly kind: 'user';
  /** Entity reference, e.g. `user:default/ada`. */
  readonly id: string;
  /** Type of the credential; writes authenticated by cookie must come from the portal's pages. */
  readonly via: 'cookie' | 'bearer';
  /**
   * Returns the entity references of the user and the user's groups as the portal reports them. The
   * first call fetches them; the result is cached for a few seconds.
   *
   * @throws UnavailableError if the portal does not respond.
   */
  groups(): Promise<readonly string[]>;
}

/** The caller of a request. */
export type Caller = AnonymousCaller | CredentialCaller | UserCaller;

const ACTOR_PREFIX: Readonly<Record<CredentialCaller['kind'], string>> = {
  apiKey: 'key',
  basic: 'token',
  bearer: 'token',
};

/**
 * Formats a caller for histories, audits and logs, prefixed with the kind of caller:
 * `user:default/ada`, `token:ci`, `key:automation` or `anonymous`. The name of a key or token
 * cannot make it look like a user.
 */
export function actorOf(caller: Caller): string {
  switch (caller.kind) {
    case 'anonymous':
      return 'anonymous';
    case 'user':
      return caller.id;
    default:
      return `${ACTOR_PREFIX[caller.kind]}:${caller.id}`;
  }
}

/** Matches the start of {@link actorOf} names and entity references: a kind, a colon, no space. */
export const ACTOR_START = '\\s*[^\\s:]+:\\S';
const STARTS_LIKE_ACTOR = new RegExp(`^${ACTOR_START}`, 'u');

/**
 * Checks whether a name chosen by others, such as a commit's author, could be mistaken for an
 * actor.
 */
export function looksLikeActor(name: string): boolean {
  return STARTS_LIKE_ACTOR.test(name);
}

export const anonymous: AnonymousCaller = Object.freeze({ kind: 'anonymous' });

/** A caller and the rate limit budget that the caller's requests count against. */
export interface Authenticated {
  caller: Caller;
  /** Identifies the credential without revealing it; stored in the shared counter store. */
  budget: string;
  /** True for a request through the portal's proxy, whose reads have a limit of their own. */
  fromPages?: boolean;
}

/** A kind of credential as described in OpenAPI. */
export interface SecurityScheme {
  name: string;
  definition:
    | { type: 'apiKey'; in: 'header' | 'cookie'; name: string }
    | { type: 'http'; scheme: 'basic' | 'bearer' };
}

/** The rate limit for requests from an address without a valid credential. */
export interface AddressLimit {
  /**
   * Checks the limit without counting.
   *
   * @throws RateLimitedError if the address of the request has used up its limit.
   */
  assertLeft(request: FastifyRequest): Promise<void>;
}

/** Authenticates callers by one kind of credential. */
export interface Authenticator {
  /**
   * Where the credential is sent, e.g. `header:x-api-key`. Authenticators that share a place are
   * alternatives: it is enough for one of them to accept the credential.
   */
  readonly place: string;
  readonly scheme: SecurityScheme;
  /**
   * Whether browsers attach the credential automatically, as they do with cookies, stored Basic
   * passwords and client certificates. A write authenticated this way must come from the portal's
   * pages, since another site can make a browser send it.
   */
  readonly sentByBrowsers?: boolean;
  /** The `WWW-Authenticate` header of a 401, if this kind of credential has one. */
  readonly challenge?: string;
  /**
   * Authenticates the caller of a request.
   *
   * @param addresses - checked before a credential that is not cached in memory is looked up, so
   *   that guessing is limited per address.
   * @returns undefined if the request has no credential of this kind.
   * @throws UnauthenticatedError if the credential is invalid.
   * @throws UnavailableError if the credential cannot be verified at the moment.
   */
  authenticate(
    request: FastifyRequest,
    addresses: AddressLimit,
  ): Authenticated | undefined | Promise<Authenticated | undefined>;
}

/** One way to authenticate: a kind of credential, and which of its holders are permitted. */
export interface Way {
  readonly authenticator: Authenticator;
  /**
   * Checks whether an authenticated caller is permitted; the request gets 403 if no way permits it.
   */
  readonly permits?: (caller: Caller) => boolean | Promise<boolean>;
}

/** The access rule of a route, created by {@link Auth}. */
export interface Access {
  readonly ways: readonly Way[];
  /** Allows requests without a credential, as anonymous. */
  readonly optional: boolean;
}
