import { hash } from 'node:crypto';
import type { JWTVerifyGetKey } from 'jose';
import {
  UnauthenticatedError,
  UnavailableError,
} from '../errors/ServiceError.ts';
import { withoutSlash } from '../portal/PortalClient.ts';

const KEPT_MS = 10_000;
const KEPT_AT_MOST = 10_000;

/**
 * Caches results of token checks for 10 s, keyed by the token's digest. A session sends many
 * requests in a row, and a revoked token is still noticed soon.
 */
export class TokenMemory<T> {
  readonly #now: () => number;
  readonly #kept = new Map<string, { at: number; until: number; value: T }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(token: string): T | undefined {
    const kept = this.#kept.get(digest(token));
    const now = this.#now();
    // After the clock was set back, an entry could otherwise outlive its 10 s.
    return kept && kept.at <= now && now < kept.until ? kept.value : undefined;
  }

  /**
   * Caches the result for a token.
   *
   * @param expires - when the token expires, in milliseconds since the Unix epoch.
   */
  set(token: string, value: T, expires = Infinity): void {
    if (this.#kept.size >= KEPT_AT_MOST) {
      this.#kept.clear();
    }
    const at = this.#now();
    const until = Math.min(at + KEPT_MS, expires);
    this.#kept.set(digest(token), { at, until, value });
  }

  delete(token: string): void {
    this.#kept.delete(digest(token));
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Kinds of tokens that the portal signs for users, by the `typ` in their headers. */
type TokenType =
  | 'vnd.backstage.user'
  | 'vnd.backstage.limited-user'
  | 'vnd.slipway.service-user';

/** The kinds of tokens accepted, by where they are sent. */
const TYPES: Record<'bearer' | 'cookie', readonly TokenType[]> = {
  bearer: ['vnd.slipway.service-user', 'vnd.backstage.user'],
  cookie: ['vnd.backstage.limited-user'],
};

const TIMEOUT_MS = 3_000;
/** A new replica of the portal has new keys; they can be fetched again after this time. */
const KEYS_COOLDOWN_MS = 1_000;

/** A portal user identified by a valid token. */
interface PortalUser {
  /** The user's entity reference. */
  readonly id: string;
  /** True if the request came through the portal's proxy, as those of its pages do. */
  readonly fromPages: boolean;
  /**
   * Returns the user's own entity reference and those of the user's groups.
   *
   * @throws UnauthenticatedError if the portal rejects the token.
   * @throws UnavailableError if the portal does not respond.
   */
  groups(): Promise<readonly string[]>;
}

/**
 * Finds the portal user that a token belongs to. The portal's proxy sends tokens that are valid for
 * this service only and list the user's groups; their keys are at
 * `/api/proxy/.well-known/jwks.json`. Backstage's own tokens come from callers who call the service
 * directly. They are verified with the keys at `/api/auth/.well-known/jwks.json`. They do not
 * contain groups, which are fetched from `/api/auth/v1/userinfo`.
 */
export class PortalIdentity {
  readonly #authUrl: string;
  readonly #service: string;
  readonly #now: () => number;
  readonly #sessionKeys: JWTVerifyGetKey;
  readonly #serviceKeys: JWTVerifyGetKey;
  readonly #verified: TokenMemory<{ type: TokenType; user: PortalUser }>;
  readonly #groups: TokenMemory<Promise<readonly string[]>>;

  /**
   * @param options.baseUrl - the address of the portal's API, without `/api`.
   * @param options.service - the name of this service, which is the audience of its tokens.
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
   * Verifies a token. Rejects a kind of token that is not accepted in the place it was sent.
   *
   * @throws UnauthenticatedError if the token is invalid or issued for another service.
   * @throws UnavailableError if the portal's keys cannot be fetched.
   */
  async verify(token: string, via: 'bearer' | 'cookie'): Promise<PortalUser> {
    const known = this.#verified.get(token);
    if (known && TYPES[via].includes(known.type)) {
      return known.user;
    }
    const jose = await loadJose();
    const typ = typeOf(token, jose);
    const type = TYPES[via].find(each => each === typ);
    if (!type) {
      throw new UnauthenticatedError('The session is not valid');
    }
    try {
      const { payload } = await this.#verifyAs(token, type, jose);
      const id = payload.sub!;
      const { ent } = payload;
      const user: PortalUser = {
        id,
        fromPages: type === 'vnd.slipway.service-user',
        groups:
          type === 'vnd.slipway.service-user'
            ? async () => (Array.isArray(ent) ? ent.map(String) : [])
            : () => this.#groupsOf(token),
      };
      this.#verified.set(token, { type, user }, payload.exp! * 1_000);
      return user;
    } catch (cause) {
      if (isFaultOfToken(cause, jose)) {
        throw new UnauthenticatedError('The session is not valid', { cause });
      }
      throw new UnavailableError('The portal is not responding', { cause });
    }
  }

  #verifyAs(token: string, type: TokenType, { jwtVerify }: Jose) {
    const forService = type === 'vnd.slipway.service-user';
    const keys = forService ? this.#serviceKeys : this.#sessionKeys;
    return jwtVerify(token, keys, {
      typ: type,
      algorithms: ['ES256'],
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(this.#now()),
      ...(forService && { audience: this.#service }),
      ...(type === 'vnd.backstage.user' && { audience: 'backstage' }),
    });
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
      // Read for errors too: a connection with an unread response cannot be reused.
      const text = await response.text();
      body = response.ok ? JSON.parse(text) : {};
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

type Jose = typeof import('jose');

/** Loads the token library, which a service needs only once a user sends a request. */
function loadJose(): Promise<Jose> {
  return import('jose');
}

/** Creates the key set on first use, because that loads Node.js's HTTP client. */
function keysAt(url: string): JWTVerifyGetKey {
  let keys: JWTVerifyGetKey | undefined;
  return async (header, token) => {
    const { createRemoteJWKSet } = await loadJose();
    keys ??= createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`), {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: KEYS_COOLDOWN_MS,
    });
    return keys(header, token);
  };
}

/** Returns the `typ` of a token's header, or undefined if the header cannot be read. */
function typeOf(token: string, { decodeProtectedHeader }: Jose): unknown {
  try {
    return decodeProtectedHeader(token).typ;
  } catch {
    return undefined;
  }
}

/**
 * Checks whether an error means that the token itself is invalid. If the keys cannot be fetched,
 * jose throws timeouts and plain errors instead.
 */
function isFaultOfToken(error: unknown, { errors }: Jose): boolean {
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
