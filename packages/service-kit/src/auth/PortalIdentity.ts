import { hash } from 'node:crypto';
import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  jwtVerify,
} from 'jose';
import {
  UnauthenticatedError,
  UnavailableError,
} from '../errors/ServiceError.ts';
import { withoutSlash } from '../portal/PortalClient.ts';

const KEPT_MS = 10_000;
const KEPT_AT_MOST = 10_000;

/**
 * What was learnt of tokens, kept for 10 s and under their digests: a session asks many
 * times in a row, and what ends it shows soon all the same.
 */
export class TokenMemory<T> {
  readonly #now: () => number;
  readonly #kept = new Map<string, { until: number; value: T }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(token: string): T | undefined {
    const kept = this.#kept.get(digest(token));
    return kept && kept.until > this.#now() ? kept.value : undefined;
  }

  /** @param expires - when the token ends, in milliseconds since the Unix epoch. */
  set(token: string, value: T, expires = Infinity): void {
    if (this.#kept.size >= KEPT_AT_MOST) {
      this.#kept.clear();
    }
    const until = Math.min(this.#now() + KEPT_MS, expires);
    this.#kept.set(digest(token), { until, value });
  }

  delete(token: string): void {
    this.#kept.delete(digest(token));
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Kinds of tokens that the portal signs for users; the `typ` of their headers. */
type TokenType =
  | 'vnd.backstage.user'
  | 'vnd.backstage.limited-user'
  | 'vnd.slipway.service-user';

/** The kinds of token accepted, by the place in which they arrive. */
const TYPES: Record<'bearer' | 'cookie', readonly TokenType[]> = {
  bearer: ['vnd.slipway.service-user', 'vnd.backstage.user'],
  cookie: ['vnd.backstage.limited-user'],
};

type KeySet = ReturnType<typeof createRemoteJWKSet>;

const TIMEOUT_MS = 3_000;
/** A new replica of the portal has new keys, which are asked for this soon. */
const KEYS_COOLDOWN_MS = 1_000;

/** A user of the portal, by a token that holds. */
interface PortalUser {
  /** The user's entity reference. */
  readonly id: string;
  /**
   * The user's own entity reference and those of the user's groups.
   *
   * @throws UnauthenticatedError when the portal refuses the token.
   * @throws UnavailableError when the portal does not answer.
   */
  groups(): Promise<readonly string[]>;
}

/**
 * Tells who the portal says that a token belongs to. The portal's proxy sends tokens that
 * are for this service alone and name the groups of their user; their keys are at
 * `/api/proxy/.well-known/jwks.json`. Tokens of Backstage itself come from callers who ask
 * directly. They are verified by `/api/auth/.well-known/jwks.json`; the groups are asked for
 * at `/api/auth/v1/userinfo`, since these tokens hold none.
 */
export class PortalIdentity {
  readonly #authUrl: string;
  readonly #service: string;
  readonly #now: () => number;
  readonly #sessionKeys: KeySet;
  readonly #serviceKeys: KeySet;
  readonly #verified: TokenMemory<{ type: TokenType; user: PortalUser }>;
  readonly #groups: TokenMemory<Promise<readonly string[]>>;

  /**
   * @param options.baseUrl - the address of the portal's API, without `/api`.
   * @param options.service - the name of this service: the audience of its tokens.
   */
  constructor(options: {
    baseUrl: string;
    service: string;
    now: () => number;
  }) {
    const api = `${withoutSlash(options.baseUrl)}/api`;
    this.#authUrl = `${api}/auth`;
    this.#service = options.service;
    this.#now = options.now;
    this.#verified = new TokenMemory(options.now);
    this.#groups = new TokenMemory(options.now);
    this.#sessionKeys = keysAt(`${api}/auth`);
    this.#serviceKeys = keysAt(`${api}/proxy`);
  }

  /**
   * Verifies a token; one of a kind that does not belong where it arrived is refused.
   *
   * @throws UnauthenticatedError when the token is not valid, or for another service.
   * @throws UnavailableError when the portal's keys cannot be had.
   */
  async verify(token: string, via: 'bearer' | 'cookie'): Promise<PortalUser> {
    const known = this.#verified.get(token);
    if (known && TYPES[via].includes(known.type)) {
      return known.user;
    }
    const type = TYPES[via].find(each => each === typeOf(token));
    if (!type) {
      throw new UnauthenticatedError('The session is not valid');
    }
    try {
      const { payload } = await this.#verifyAs(token, type);
      const id = payload.sub!;
      const { ent } = payload;
      const user: PortalUser = {
        id,
        groups:
          type === 'vnd.slipway.service-user'
            ? async () => (Array.isArray(ent) ? ent.map(String) : [])
            : () => this.#groupsOf(token),
      };
      this.#verified.set(token, { type, user }, payload.exp! * 1_000);
      return user;
    } catch (cause) {
      if (isFaultOfToken(cause)) {
        throw new UnauthenticatedError('The session is not valid', { cause });
      }
      throw new UnavailableError('The portal is not responding', { cause });
    }
  }

  #verifyAs(token: string, type: TokenType) {
    const forService = type === 'vnd.slipway.service-user';
    return jwtVerify(
      token,
      forService ? this.#serviceKeys : this.#sessionKeys,
      {
        typ: type,
        algorithms: ['ES256'],
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(this.#now()),
        ...(forService && { audience: this.#service }),
        ...(type === 'vnd.backstage.user' && { audience: 'backstage' }),
      },
    );
  }

  async #groupsOf(token: string): Promise<readonly string[]> {
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
      throw new UnavailableError('The portal is not responding', { cause });
    }
    if (response.status === 401 || response.status === 403) {
      throw new UnauthenticatedError('The session is not valid');
    }
    if (!response.ok) {
      throw new UnavailableError('The portal is not responding');
    }
    const groups = body.claims?.ent;
    return Array.isArray(groups) ? groups.map(String) : [];
  }
}

function keysAt(url: string): KeySet {
  return createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
  });
}

/** The `typ` of a token's header; undefined where there is no header to read. */
function typeOf(token: string): unknown {
  try {
    return decodeProtectedHeader(token).typ;
  } catch {
    return undefined;
  }
}

/**
 * Tells a fault of the token from one of fetching the keys, which fails with time-outs and
 * plain errors.
 */
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
