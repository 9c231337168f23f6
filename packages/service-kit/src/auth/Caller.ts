/** Nobody in particular. */
export interface AnonymousCaller {
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
export interface UserCaller {
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

/** Who makes a request. */
export type Caller = AnonymousCaller | CredentialCaller | UserCaller;

export const anonymous: AnonymousCaller = Object.freeze({ kind: 'anonymous' });
