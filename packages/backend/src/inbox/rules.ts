import { hash } from 'node:crypto';
import { type Need, scopeAbout } from '@slipway/entity-contract';
import type { NotificationPayload } from '@backstage/plugin-notifications-common';

/** Origin of the notifications that the inbox sends. */
export const ORIGIN = 'plugin:inbox';

const DAY_MS = 86_400_000;

/** What a user decided about an item; `until` is in milliseconds since the Unix epoch. */
export type Aside =
  { state: 'done'; until: null } | { state: 'snoozed'; until: number };

/** What is stored about an item of a user's inbox. */
export interface ItemState {
  aside: Aside | null;
  isAnnounced: boolean;
}

/** Returns whether an item is hidden from the inbox: done, or snoozed until later. */
export function isAside({ aside }: Pick<ItemState, 'aside'>, now: number) {
  return aside !== null && (aside.until === null || aside.until > now);
}

/**
 * Decides whether to send a notification about an item. `skip` means never: the part sends its own
 * notification, or the item is already older than a day when the user is checked for the first
 * time, as when the inbox is introduced.
 */
export function announcementOf(
  need: Need,
  options: { state: ItemState; isFirstCheck: boolean; now: number },
): 'send' | 'skip' | 'wait' {
  const { state, isFirstCheck, now } = options;
  if (state.isAnnounced || isAside(state, now)) {
    return 'wait';
  }
  const isOld = isFirstCheck && Date.parse(need.at) < now - DAY_MS;
  return need.notified || isOld ? 'skip' : 'send';
}

/** Maximum length of a scope in the notifications plugin's table. */
const MAX_SCOPE = 255;

/** The properties of an item that identify the notifications about it. */
export type Noticed = Pick<Need, 'key' | 'entityRef' | 'scope'>;

/**
 * Returns the scope of the inbox's notification about an item; a digest replaces a key that is too
 * long.
 */
export function scopeOf({ key, entityRef }: Noticed): string {
  const scope = scopeAbout(entityRef, key);
  return scope.length <= MAX_SCOPE
    ? scope
    : scopeAbout(entityRef, digestOf(key));
}

/** An unread notification, whether about an item or not. */
export interface Announced {
  scope: string;
  /** True if the inbox sent it, false if a part did. */
  isOwn: boolean;
  /** When it was last sent, in milliseconds since the Unix epoch. */
  sentAt: number;
}

/**
 * Checks whether a notification is about an item, even if the item was about another entity when
 * the inbox sent it: for instance, another component may have claimed the job since.
 */
export function isNoticeOf(
  { scope, isOwn }: Announced,
  item: Noticed,
): boolean {
  return isOwn
    ? [item.key, digestOf(item.key)].some(
        end => scope === end || scope.endsWith(` ${end}`),
      )
    : scope === item.scope;
}

/**
 * Returns a function that checks whether a notification of the inbox is about an item that is gone,
 * i.e. no longer needs anything from the user.
 *
 * @param options.needs - all items that the parts reported at `readAt`.
 */
export function isGone(options: { needs: readonly Need[]; readAt: number }) {
  const { needs, readAt } = options;
  return (announced: Announced) =>
    announced.isOwn &&
    // A later notification may be about an item that appeared after the parts were read.
    announced.sentAt < readAt &&
    !needs.some(need => isNoticeOf(announced, need));
}

function digestOf(key: string): string {
  return `sha256:${hash('sha256', key)}`;
}

/** Converts an item to a notification, which replaces an earlier one with the same scope. */
export function notificationOf(need: Need): NotificationPayload {
  const { kind, title, detail, page, tone } = need;
  return {
    title,
    ...(detail && { description: detail }),
    link: page,
    severity: tone === 'bad' ? 'high' : 'normal',
    topic: kind,
    scope: scopeOf(need),
  };
}
