import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { UnauthenticatedError, UnavailableError } from '../errors/index.ts';
import { withoutSlash } from '../portal/withoutSlash.ts';
import { TokenMemory } from './TokenMemory.ts';

/** Kinds of tokens that the portal signs for users; the `typ` of their headers. */
export type UserTokenType = 'vnd.backstage.user' | 'vnd.backstage.limited-user';

const TIMEOUT_MS = 3_000;

/**
 * Who the portal says that a token belongs to. Tokens are verified here against the
 * portal's public keys (`/api/auth/.well-known/jwks.json`); groups are asked for at
 * `/api/auth/v1/userinfo`, since limited tokens hold none.
 */
export class PortalIdentity {
  readonly #authUrl: string;
  readonly #now: () => number;
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #verified: TokenMemory<{ id: string; typ: UserTokenType }>;
  readonly #groups: TokenMemory<Promise<readonly string[]>>;

  /** @param options.baseUrl - of the portal's API, without `/api`. */
  constructor(options: { baseUrl: string; now: () => number }) {
    this.#authUrl = `${withoutSlash(options.baseUrl)}/api/auth`;
    this.#now = options.now;
    this.#verified = new TokenMemory(options.now);
    this.#groups = new TokenMemory(options.now);
    this.#keys = createRemoteJWKSet(
      new URL(`${this.#authUrl}/.well-known/jwks.json`),
      { timeoutDuration: TIMEOUT_MS },
    );
  }

  /**
   * Verifies a token of one kind; a token of the other is refused.
   *
   * @returns the user's entity reference.
   * @throws UnauthenticatedError when the token is not valid.
   * @throws UnavailableError when the portal's keys cannot be had.
   */
  async verify(token: string, typ: UserTokenType): Promise<string> {
    const known = this.#verified.get(token);
    if (known?.typ === typ) {
      return known.id;
    }
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        typ,
        algorithms: ['ES256'],
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(this.#now()),
        ...(typ === 'vnd.backstage.user' && { audience: 'backstage' }),
      });
      const id = payload.sub!;
      this.#verified.set(token, { id, typ }, payload.exp! * 1_000);
      return id;
    } catch (cause) {
      if (isFaultOfToken(cause)) {
        throw new UnauthenticatedError('The session is not valid', { cause });
      }
      throw new UnavailableError('The portal does not answer', { cause });
    }
  }

  /**
   * The user's own entity reference and those of the user's groups.
   *
   * @throws UnauthenticatedError when the portal refuses the token.
   * @throws UnavailableError when the portal does not answer.
   */
  async groupsOf(token: string): Promise<readonly string[]> {
    const kept = this.#groups.get(token);
    if (kept) {
      return kept;
    }
    const groups = this.#fetchGroups(token);
    this.#groups.set(token, groups);
    groups.catch(() => this.#groups.delete(token));
    return groups;
  }

  async #fetchGroups(token: string): Promise<readonly string[]> {
    let response: Response;
    let body: { claims?: { ent?: unknown } };
    try {
      response = await fetch(`${this.#authUrl}/v1/userinfo`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      body = response.ok ? await response.json() : {};
    } catch (cause) {
      throw new UnavailableError('The portal does not answer', { cause });
    }
    if (response.status === 401 || response.status === 403) {
      throw new UnauthenticatedError('The session is not valid');
    }
    if (!response.ok) {
      throw new UnavailableError('The portal does not answer');
    }
    const groups = body.claims?.ent;
    return Array.isArray(groups) ? groups.map(String) : [];
  }
}

/** Of the token and not of fetching the keys: those fail with time-outs and plain errors. */
function isFaultOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}
