import type {
  AuthService,
  BackstageCredentials,
  DiscoveryService,
} from '@backstage/backend-plugin-api';
import { z } from 'zod';
import { isScopeOf, type Noticed } from './rules';

const TIMEOUT_MS = 5_000;
/** Origin of the notifications that this plugin sends. */
const ORIGIN = 'plugin:inbox';
/** Number of unread notifications that are searched. */
const LIMIT = 500;

const listSchema = z.object({
  notifications: z.array(
    z.object({
      id: z.string(),
      origin: z.string(),
      payload: z.object({ scope: z.string().nullish() }),
    }),
  ),
});

/**
 * Marks the notifications about an item as read, that of the inbox and that of its part, with the
 * user's own credentials: there is no other way to change what a user received.
 *
 * @throws Error if the notifications plugin does not respond.
 */
export async function markRead(options: {
  auth: AuthService;
  discovery: DiscoveryService;
  credentials: BackstageCredentials;
  item: Noticed;
}): Promise<void> {
  const { auth, discovery, credentials, item } = options;
  const base = await discovery.getBaseUrl('notifications');
  const { token } = await auth.getPluginRequestToken({
    onBehalfOf: credentials,
    targetPluginId: 'notifications',
  });
  const request = async (path: string, body?: object) => {
    const response = await fetch(`${base}/notifications${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      // Not awaited: the timeout does not limit how long that takes.
      response.body?.cancel().catch(() => undefined);
      throw new Error(`status ${response.status}`);
    }
    return response.json();
  };
  const unread = await request(`?read=false&limit=${LIMIT}`);
  const ids = listSchema
    .parse(unread)
    .notifications.filter(
      ({ origin, payload: { scope } }) =>
        scope &&
        (origin === ORIGIN ? isScopeOf(scope, item) : scope === item.scope),
    )
    .map(({ id }) => id);
  if (ids.length > 0) {
    await request('/update', { ids, read: true });
  }
}
