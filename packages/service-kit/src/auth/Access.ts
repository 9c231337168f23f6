import type { FastifyRequest } from 'fastify';

/** Nobody in particular. */
interface AnonymousCaller {
  readonly kind: 'anonymous';
}

/** The holder of a key, token or password from the configuration. */
export interface CredentialCaller {
  readonly kind: 'apiKey' | 'basic' | 'bearer';
  /** The name that the configuration gives. */
  readonly id: string;
  readonly scopes: readonly string[];
}

/** A user of the portal. */
interface UserCaller {
  readonly kind: 'user';
  /** Entity reference, e.g. `user:default/ada`. */
  readonly id: string;
  /** How the user was known; writes by cookie must come from the portal's pages. */
  readonly via: 'cookie' | 'bearer';
  /**
   * Entity references of the user and the user's groups, as the portal vouches for
   * them; asked for once and kept for seconds.
   *
   * @throws UnavailableError when the portal does not answer.
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
 * Names a caller for histories, audits and logs, and says what kind of caller it is:
 * `user:default/ada`, `token:ci`, `key:automation` or `anonymous`. Whoever names a key or
 * a token cannot make it look like a user.
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

/** How names of {@link actorOf} and entity references begin: a kind, a colon, no space. */
export const ACTOR_START = '\\s*[^\\s:]+:\\S';
const STARTS_LIKE_ACTOR = new RegExp(`^${ACTOR_START}`, 'u');

/** Tells whether a name that others chose, such as a commit's author, could be read as an actor's. */
export function looksLikeActor(name: string): boolean {
  return STARTS_LIKE_ACTOR.test(name);
}

export const anonymous: AnonymousCaller = Object.freeze({ kind: 'anonymous' });

/** A caller, and the budget that the caller's requests count against. */
export interface Authenticated {
  caller: Caller;
  /** Tells credentials apart without being one: goes to the shared store. */
  budget: string;
}

/** How OpenAPI describes a kind of credential. */
export interface SecurityScheme {
  name: string;
  definition:
    | { type: 'apiKey'; in: 'header' | 'cookie'; name: string }
    | { type: 'http'; scheme: 'basic' | 'bearer' };
}

/** What an address has left of the requests that it may make without a valid credential. */
export interface AddressLimit {
  /** @throws RateLimitedError when nothing is left to the address of the request. */
  assertLeft(request: FastifyRequest): Promise<void>;
}

/** Knows callers by one kind of credential. */
export interface Authenticator {
  /**
   * Where the credential is sent, e.g. `header:x-api-key`. Authenticators that share
   * a place are alternatives: one that knows the credential is enough.
   */
  readonly place: string;
  readonly scheme: SecurityScheme;
  /**
   * Whether browsers send it along by themselves, as they do cookies, passwords of Basic
   * that they keep, and client certificates: a write by it must come from the portal's
   * pages, since another site can have a browser make it.
   */
  readonly sentByBrowsers?: boolean;
  /** The `WWW-Authenticate` header of a 401, where the kind has one. */
  readonly challenge?: string;
  /**
   * @param addresses - to be asked before a credential that is not known in memory is
   *   looked up, so that guesses end at the limit of their address.
   * @returns undefined when the request has no credential of this kind.
   * @throws UnauthenticatedError when it has one that is not valid.
   * @throws UnavailableError when that cannot be told now.
   */
  authenticate(
    request: FastifyRequest,
    addresses: AddressLimit,
  ): Authenticated | undefined | Promise<Authenticated | undefined>;
}

/** One way in: a kind of credential, and which of its holders may pass. */
export interface Way {
  readonly authenticator: Authenticator;
  /** Says whether a caller known in this way may; 403 where no way says yes. */
  readonly permits?: (caller: Caller) => boolean | Promise<boolean>;
}

/** The access rule of a route, made by {@link Auth}. */
export interface Access {
  readonly ways: readonly Way[];
  /** Lets requests without any credential in, as anonymous. */
  readonly optional: boolean;
}
