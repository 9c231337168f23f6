import type { AuthService, LoggerService } from '@backstage/backend-plugin-api';
import { stringifyEntityRef, type Entity } from '@backstage/catalog-model';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import type { NotificationService } from '@backstage/plugin-notifications-node';
import type { Need } from '@slipway/entity-contract';
import { ownershipOf } from '@slipway/portal-kit';
import type { SentNotifications } from '../notifications/SentNotifications';
import type { PartsClient } from './PartsClient';
import {
  announcementOf,
  type Announced,
  isGone,
  notificationOf,
  ORIGIN,
} from './rules';
import type { DueUser, InboxStore } from './storage/InboxStore';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Users who opened the inbox within this time are checked in every run. */
const ACTIVE_MS = 30 * DAY_MS;
/** Interval at which all other users are checked. */
const OTHERS_MS = 10 * MINUTE_MS;
/** Interval at which the catalog is searched for new users. */
const NEW_USERS_MS = 5 * MINUTE_MS;
/** Time after which another replica may send a notification that this one began to send. */
const LEASE_MS = 2 * MINUTE_MS;
const MAX_PER_RUN = 2_000;
const USERS_PER_PAGE = 500;
const USERS_PER_BATCH = 100;
const CONCURRENCY = 4;

/** Dependencies of {@link Announcer}. */
interface AnnouncerOptions {
  store: InboxStore;
  parts: Pick<PartsClient, 'read'>;
  catalog: Pick<CatalogService, 'queryEntities' | 'getEntitiesByRefs'>;
  notifications: NotificationService;
  sent: Pick<SentNotifications, 'markRead'>;
  auth: Pick<AuthService, 'getOwnServiceCredentials'>;
  logger: LoggerService;
  now?: () => number;
}

/** Checks whether a notification is about an item that is gone. */
type IsGone = (announced: Announced) => boolean;

/**
 * Sends one notification about each new item of each user's inbox, and marks it as read when the item
 * is gone: a decided approval, for instance, is no longer unread for the others who were asked.
 */
export class Announcer {
  readonly #options: Required<AnnouncerOptions>;
  #searchedAt = -Infinity;

  constructor(options: AnnouncerOptions) {
    this.#options = { now: Date.now, ...options };
  }

  /**
   * Checks the users who are due, until the signal aborts; the remaining ones come first next time.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { store, now } = this.#options;
    if (now() - this.#searchedAt >= NEW_USERS_MS) {
      await this.#addUsers(signal);
      this.#searchedAt = now();
    }
    const due = await store.due({
      visitedAfter: now() - ACTIVE_MS,
      checkedBefore: now() - OTHERS_MS,
      limit: MAX_PER_RUN,
    });
    for (let from = 0; from < due.length; from += USERS_PER_BATCH) {
      await this.#checkBatch(due.slice(from, from + USERS_PER_BATCH), signal);
    }
  }

  async #addUsers(signal: AbortSignal): Promise<void> {
    const { auth, catalog, store } = this.#options;
    const credentials = await auth.getOwnServiceCredentials();
    let cursor: string | undefined;
    do {
      const page = await catalog.queryEntities(
        cursor
          ? { cursor, limit: USERS_PER_PAGE }
          : {
              filter: { kind: 'user' },
              fields: ['kind', 'metadata.name', 'metadata.namespace'],
              limit: USERS_PER_PAGE,
            },
        { credentials },
      );
      await store.addUsers(page.items.map(user => stringifyEntityRef(user)));
      cursor = page.pageInfo.nextCursor;
    } while (cursor && !signal.aborted);
  }

  async #checkBatch(
    users: readonly DueUser[],
    signal: AbortSignal,
  ): Promise<void> {
    const { auth, catalog, logger } = this.#options;
    if (signal.aborted) {
      return;
    }
    // The current groups, so that former members of a group are no longer notified about it.
    const { items } = await catalog.getEntitiesByRefs(
      {
        entityRefs: users.map(({ ref }) => ref),
        fields: ['kind', 'metadata.name', 'metadata.namespace', 'relations'],
      },
      { credentials: await auth.getOwnServiceCredentials() },
    );
    const waiting = users.map((user, index) => [user, items[index]] as const);
    const gone = new Map<string, IsGone>();
    const work = async () => {
      for (;;) {
        const [user, entity] = (!signal.aborted && waiting.shift()) || [];
        if (!user) {
          return;
        }
        try {
          const isGoneFor = await this.#check(user, entity);
          if (isGoneFor) {
            gone.set(user.ref, isGoneFor);
          }
        } catch (error) {
          logger.warn(`An inbox could not be checked: ${error}`);
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    await this.#markRead(gone);
  }

  /** Marks the notifications about items that are gone as read, with a single query for all users. */
  async #markRead(gone: ReadonlyMap<string, IsGone>): Promise<void> {
    const { logger, sent } = this.#options;
    const isRead = new Map(
      [...gone].map(([ref, isGoneFor]) => [
        ref,
        (notice: Omit<Announced, 'isOwn'>) =>
          isGoneFor({ ...notice, isOwn: true }),
      ]),
    );
    try {
      await sent.markRead({ origin: ORIGIN, isRead });
    } catch (error) {
      logger.warn(`Notifications are marked as read later: ${error}`);
    }
  }

  /**
   * Checks the inbox of one user.
   *
   * @returns a function that checks whether a notification is about an item that is gone; undefined
   *   if this cannot be determined, because the user is not in the catalog, or a part did not respond
   *   or may have more items.
   */
  async #check(
    user: DueUser,
    entity: Entity | undefined,
  ): Promise<IsGone | undefined> {
    const { parts, store, now } = this.#options;
    if (!entity) {
      await store.missed(user.ref, now());
      return undefined;
    }
    const readAt = now();
    const { needs, missing, incomplete } = await parts.read({
      ref: user.ref,
      ownership: ownershipOf(entity),
    });
    const states = await store.record(user.ref, needs, now());
    for (const need of needs) {
      const state = states.get(need.key)!;
      const { isFirstCheck } = user;
      const decision = announcementOf(need, {
        state,
        isFirstCheck,
        now: now(),
      });
      if (decision === 'skip') {
        await store.announced(user.ref, need.key, now());
      } else if (decision === 'send') {
        await this.#send(user.ref, need);
      }
    }
    const isComplete = missing.length === 0;
    await store.checked(user.ref, { now: now(), isComplete });
    return isComplete && incomplete.length === 0
      ? isGone({ needs, readAt })
      : undefined;
  }

  async #send(ref: string, need: Need): Promise<void> {
    const { logger, notifications, store, now } = this.#options;
    const until = now() + LEASE_MS;
    if (!(await store.lease(ref, need.key, { now: now(), until }))) {
      return;
    }
    try {
      await notifications.send({
        recipients: { type: 'entity', entityRef: ref },
        payload: notificationOf(need),
      });
    } catch (error) {
      logger.warn(`A notification is sent again later: ${error}`);
      await store.release(ref, need.key);
      return;
    }
    await store.announced(ref, need.key, now());
  }
}
