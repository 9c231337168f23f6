import { setTimeout as sleep } from 'node:timers/promises';
import type { Sessions } from './parts.ts';

const TIMEOUT_MS = 60_000;
const POLL_MS = 500;
/** Age at which a session is replaced: sessions end after an hour, and testing a route takes minutes. */
const SESSION_MS = 20 * 60_000;

/** Creates a function that returns sessions valid for at least the next route, signing in if needed. */
export function keepSignedIn(api: string): () => Promise<Sessions> {
  let sessions: Sessions | undefined;
  let since = 0;
  return async () => {
    if (!sessions || performance.now() - since > SESSION_MS) {
      since = performance.now();
      sessions = await signIn(api);
    }
    return sessions;
  };
}

/**
 * Signs in as users of the development organisation, once the catalog contains them.
 *
 * @param api - address of the portal's API, without `/api`.
 */
export async function signIn(api: string): Promise<Sessions> {
  const [ada, grace] = await Promise.all(
    ['ada', 'grace'].map(user => tokenOf(user, api)),
  );
  return { ada, grace, cookie: await cookieOf(ada, api) };
}

async function tokenOf(user: string, api: string): Promise<string> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`${api}/api/auth/dev/refresh?user=${user}`);
    if (response.ok) {
      const { backstageIdentity } = (await response.json()) as {
        backstageIdentity: { token: string };
      };
      return backstageIdentity.token;
    }
    await response.body?.cancel();
    if (performance.now() > deadline) {
      throw new Error(`${user} cannot sign in: ${response.status}`);
    }
    await sleep(POLL_MS);
  }
}

/** Returns a session cookie, whose token has fewer rights. */
async function cookieOf(token: string, api: string): Promise<string> {
  const response = await fetch(`${api}/api/catalog/.backstage/auth/v1/cookie`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  const [cookie] = response.headers.getSetCookie();
  if (!cookie) {
    throw new Error(`The portal gives no cookie: ${response.status}`);
  }
  return cookie.split(';')[0];
}
