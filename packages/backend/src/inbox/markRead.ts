import { z } from 'zod';
import type { Owner, PartsClient } from './PartsClient';
import { type Announced, ORIGIN } from './rules';

/** Timeout in milliseconds; short, since a user waits for the response. */
const TIMEOUT_MS = 5_000;
/** Maximum number of unread notifications to search. */
const LIMIT = 500;

const listSchema = z.object({
  notifications: z.array(
    z.object({
      id: z.string(),
      origin: z.string(),
      created: z.string().nullish(),
      // A number of milliseconds on SQLite.
      updated: z.union([z.string(), z.number()]).nullish(),
      payload: z.object({ scope: z.string().nullish() }),
    }),
  ),
});

/**
 * Marks notifications of items as read, with the user's own credentials, because only the user who
 * received a notification can change it.
 *
 * @param options.isRead - selects the unread notifications to mark.
 * @throws Error if the notifications plugin does not respond.
 */
export async function markRead(options: {
  parts: Pick<PartsClient, 'request'>;
  owner: Owner;
  isRead(announced: Announced): boolean;
}): Promise<void> {
  const { parts, owner, isRead } = options;
  const request = (path: string, body?: object) =>
    parts.request(owner, {
      plugin: 'notifications',
      path: `/notifications${path}`,
      body,
      timeoutMs: TIMEOUT_MS,
    });
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
