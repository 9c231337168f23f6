import type {
  AuthService,
  BackstageCredentials,
  DiscoveryService,
} from '@backstage/backend-plugin-api';
import { z } from 'zod';
import type { Announced } from './rules';

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
      created: z.string().nullish(),
      // A number on SQLite, of milliseconds.
      updated: z.union([z.string(), z.number()]).nullish(),
      payload: z.object({ scope: z.string().nullish() }),
    }),
  ),
});

/**
 * Marks notifications of items as read, with the user's own credentials: users have no other way to
 * change what they received.
 *
 * @param options.isRead - selects the unread notifications.
 * @throws Error if the notifications plugin does not respond.
 */
export async function markRead(options: {
  auth: AuthService;
  discovery: DiscoveryService;
  credentials: BackstageCredentials;
  isRead(announced: Announced): boolean;
}): Promise<void> {
  const { auth, discovery, credentials, isRead } = options;
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
      ({ origin, payload: { scope }, created, updated }) =>
        scope &&
        isRead({
          scope,
          isOwn: origin === ORIGIN,
          sentAt: new Date(updated ?? created ?? NaN).getTime(),
        }),
    )
    .map(({ id }) => id);
  if (ids.length > 0) {
    await request('/update', { ids, read: true });
  }
}
