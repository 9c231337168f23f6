import { hash } from 'node:crypto';
import type {
  BackstageCredentials,
  BackstageUserInfo,
  BackstageUserPrincipal,
  UserInfoService,
} from '@backstage/backend-plugin-api';
import { SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { SigningKeys } from './SigningKeys';

/** The `typ` of the header; keeps Backstage from accepting the token as one of its own. */
const SERVICE_TOKEN_TYPE = 'vnd.slipway.service-user';

/** Lifetime of a token, unless the session ends earlier. */
const LIFETIME_MS = 5 * 60_000;
/**
 * Time for which a token is reused, which is also the maximum age of the groups in it.
 */
const REUSED_MS = 60_000;
const KEPT_AT_MOST = 10_000;

/**
 * Issues tokens that tell a single service who a user is and which groups the user belongs to. No
 * other service or plugin accepts them.
 */
export class ServiceTokens {
  readonly #keys: SigningKeys;
  readonly #userInfo: UserInfoService;
  readonly #now: () => number;
  readonly #issued: LRUCache<string, Promise<string>>;

  constructor(options: {
    keys: SigningKeys;
    userInfo: UserInfoService;
    now?: () => number;
  }) {
    this.#keys = options.keys;
    this.#userInfo = options.userInfo;
    this.#now = options.now ?? Date.now;
    this.#issued = new LRUCache({ max: KEPT_AT_MOST });
  }

  /**
   * Returns a token for a user.
   *
   * @param options.service - the name of the only service that accepts the token.
   * @param options.session - the credential that the user sent. A token is reused only within a
   *   session: a new one of the same user reads the groups again.
   */
  async issue(options: {
    credentials: BackstageCredentials<BackstageUserPrincipal>;
    service: string;
    session: string;
  }): Promise<string> {
    const { credentials, service, session } = options;
    const key = `${service} ${hash('sha256', session, 'base64url')}`;
    const kept = this.#issued.get(key);
    if (kept) {
      return kept;
    }
    const now = this.#now();
    const ends = Math.min(
      now + LIFETIME_MS,
      credentials.expiresAt?.getTime() ?? Infinity,
    );
    const token = this.#userInfo
      .getUserInfo(credentials)
      .then(user => this.#sign(user, { service, now, ends }));
    this.#issued.set(key, token, {
      ttl: Math.max(1, Math.min(REUSED_MS, ends - now)),
    });
    token.catch(() => this.#issued.delete(key));
    return token;
  }

  /**
   * Returns a token for a user who may be absent. Only for requests of the portal itself whose
   * responses only this user gets.
   *
   * @param options.user - the user, with the current groups from the catalog.
   */
  issueFor(options: { user: BackstageUserInfo; service: string }) {
    const now = this.#now();
    const ends = now + REUSED_MS;
    return this.#sign(options.user, { service: options.service, now, ends });
  }

  async #sign(
    { userEntityRef, ownershipEntityRefs }: BackstageUserInfo,
    options: { service: string; now: number; ends: number },
  ): Promise<string> {
    const { kid, alg, key } = await this.#keys.current();
    return new SignJWT({ ent: ownershipEntityRefs })
      .setProtectedHeader({ typ: SERVICE_TOKEN_TYPE, alg, kid })
      .setSubject(userEntityRef)
      .setAudience(options.service)
      .setIssuedAt(Math.floor(options.now / 1_000))
      .setExpirationTime(Math.floor(options.ends / 1_000))
      .sign(key);
  }
}
