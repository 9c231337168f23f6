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
