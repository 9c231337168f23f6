/** A session, as returned by `GET /api/auth/<provider>/refresh`. */
export interface Session {
  profile: { email?: string; displayName?: string; picture?: string };
  backstageIdentity: {
    token: string;
    /** Seconds from the response, if the server reports them. */
    expiresInSeconds?: number;
    identity: {
      type: 'user';
      userEntityRef: string;
      ownershipEntityRefs: string[];
    };
  };
}

const FALLBACK_LIFETIME_MS = 5 * 60_000;

/** Renewal begins this long before a token expires, so that none expires during a request. */
const MARGIN_MS = 2 * 60_000;

/**
 * Returns when to renew a session, in milliseconds since the epoch: before the token's
 * `exp`, or soon if it has none.
 */
export function renewalTime(token: string, now: number): number {
  const expiry = expiryOf(token) ?? now + FALLBACK_LIFETIME_MS + MARGIN_MS;
  return expiry - MARGIN_MS;
}

function expiryOf(token: string): number | undefined {
  try {
    const payload = token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/');
    const claims = JSON.parse(window.atob(payload)) as { exp?: unknown };
    return typeof claims.exp === 'number' ? claims.exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

const KEY = 'slipway.signIn.user';

/**
 * The user who signed in last, stored in the browser so that a reload or another tab
 * continues the session. Stores only the name, never a token.
 */
export const rememberedUser = {
  get: (): string | null => window.localStorage.getItem(KEY),
  set: (user: string): void => window.localStorage.setItem(KEY, user),
  forget: (): void => window.localStorage.removeItem(KEY),
};
