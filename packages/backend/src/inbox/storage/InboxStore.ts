import type { Knex } from 'knex';
import { isAbout } from '../../notifications/isAbout';
import type { Aside, ItemState, Noticed } from '../rules';

const DAY_MS = 86_400_000;
/** Number of values in a statement, below the limits of both databases. */
const CHUNK = 200;

interface ItemRow {
  user_ref: string;
  key: string;
  seen_at: number | string;
  announced_at: number | string | null;
  leased_until: number | string | null;
  aside: string | null;
  aside_until: number | string | null;
  entity_ref: string | null;
  scope: string | null;
}

interface UserRow {
  user_ref: string;
  checked_at: number | string;
  began_at: number | string | null;
  visited_at: number | string | null;
  missing_since: number | string | null;
}

/** A user whose inbox has to be checked for new items. */
export interface DueUser {
  ref: string;
  /** True until all parts have responded once. */
  isFirstCheck: boolean;
}

/**
 * Stores which items of inboxes have been announced and set aside. Times are milliseconds since the
 * Unix epoch.
 */
export class InboxStore {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  #items() {
    return this.#knex<ItemRow>('inbox_items');
  }

  #users() {
    return this.#knex<UserRow>('inbox_users');
  }

  /** Adds users who are not known yet. */
  async addUsers(refs: readonly string[]): Promise<void> {
    for (let from = 0; from < refs.length; from += CHUNK) {
      await this.#users()
        .insert(refs.slice(from, from + CHUNK).map(ref => ({ user_ref: ref })))
        .onConflict('user_ref')
        .ignore();
    }
  }

  /** Records that a user opened the inbox. */
  async visit(user: string, now: number): Promise<void> {
    await this.#users()
      .insert({ user_ref: user, visited_at: now })
      .onConflict('user_ref')
      .merge(['visited_at']);
  }

  /** Lists when each user last opened the inbox, newest first. */
  async visits(): Promise<{ user: string; at: number }[]> {
    const rows = await this.#users()
      .whereNotNull('visited_at')
      .orderBy('visited_at', 'desc');
    return rows.map(row => ({
      user: row.user_ref,
      at: Number(row.visited_at),
    }));
  }

  /**
   * Lists users who are due for a check, longest wait first: those who opened the inbox after
   * `visitedAfter`, and those last checked before `checkedBefore`.
   */
  async due(options: {
    visitedAfter: number;
    checkedBefore: number;
    limit: number;
  }): Promise<DueUser[]> {
    const rows = await this.#users()
      .where('visited_at', '>', options.visitedAfter)
      .orWhere('checked_at', '<', options.checkedBefore)
      .orderBy('checked_at')
      .limit(options.limit);
    return rows.map(row => ({
      ref: row.user_ref,
      isFirstCheck: row.began_at === null,
    }));
  }

  /**
   * Records that a user's inbox was checked.
   *
   * @param options.isComplete - whether all parts responded.
   */
  async checked(
    user: string,
    options: { now: number; isComplete: boolean },
  ): Promise<void> {
    const { now, isComplete } = options;
    await this.#users()
      .where({ user_ref: user })
      .update({
        checked_at: now,
        missing_since: null,
        ...(isComplete && {
          began_at: this.#knex.raw('COALESCE(began_at, ?)', [now]),
        }),
      });
  }

  /** Records that a user was not found in the catalog. */
  async missed(user: string, now: number): Promise<void> {
    await this.#users()
      .where({ user_ref: user })
      .update({
        checked_at: now,
        missing_since: this.#knex.raw('COALESCE(missing_since, ?)', [now]),
      });
  }

  /** Records that items exist, and returns the state of each by key. */
  async record(
    user: string,
    items: readonly Noticed[],
    now: number,
  ): Promise<Map<string, ItemState>> {
    if (items.length === 0) {
      return new Map();
    }
    const read = () =>
      this.#items()
        .where({ user_ref: user })
        .whereIn(
          'key',
          items.map(({ key }) => key),
        );
    const rows = await read();
    const known = new Map(rows.map(row => [row.key, row]));
    const added = items.filter(({ key }) => !known.has(key));
    for (let from = 0; from < added.length; from += CHUNK) {
      await this.#items()
        .insert(
          added.slice(from, from + CHUNK).map(item => ({
            ...{ user_ref: user, key: item.key, seen_at: now },
            ...aboutOf(item),
          })),
        )
        .onConflict(['user_ref', 'key'])
        .ignore();
    }
    for (const item of items) {
      const row = known.get(item.key);
      const about = aboutOf(item);
      if (
        row &&
        (row.entity_ref !== about.entity_ref || row.scope !== about.scope)
      ) {
        await this.#items()
          .where({ user_ref: user, key: item.key })
          .update(about);
      }
    }
    if (rows.some(({ seen_at }) => Number(seen_at) < now - DAY_MS)) {
      await read().update({ seen_at: now });
    }
    return new Map([
      ...added.map(({ key }) => [key, stateOf(undefined)] as const),
      ...rows.map(row => [row.key, stateOf(row)] as const),
    ]);
  }

  /**
   * Reserves the announcement of an item for this replica.
   *
   * @returns false if the item has been announced, or if another replica has reserved it.
   */
  async lease(
    user: string,
    key: string,
    options: { now: number; until: number },
  ): Promise<boolean> {
    const count = await this.#items()
      .where({ user_ref: user, key })
      .whereNull('announced_at')
      .where(free =>
        free
          .whereNull('leased_until')
          .orWhere('leased_until', '<', options.now),
      )
      .update({ leased_until: options.until });
    return count > 0;
  }

  /** Releases the reservation after a failure. */
  async release(user: string, key: string): Promise<void> {
    await this.#items()
      .where({ user_ref: user, key })
      .update({ leased_until: null });
  }

  /** Records that an item needs no further notification. */
  async announced(user: string, key: string, now: number): Promise<void> {
    await this.#items()
      .where({ user_ref: user, key })
      .update({ announced_at: now, leased_until: null });
  }

  /**
   * Sets an item aside, or puts it back.
   *
   * @returns false if the user has no such item.
   */
  async setAside(
    user: string,
    key: string,
    aside: Aside | null,
  ): Promise<boolean> {
    const count = await this.#items()
      .where({ user_ref: user, key })
      .update({
        aside: aside?.state ?? null,
        aside_until: aside?.until ?? null,
      });
    return count > 0;
  }

  /**
   * Returns the properties that identify the notifications about an item; undefined if the user has
   * no such item.
   */
  async find(user: string, key: string): Promise<Noticed | undefined> {
    const row = await this.#items().where({ user_ref: user, key }).first();
    return (
      row && {
        key,
        ...(row.entity_ref !== null && { entityRef: row.entity_ref }),
        ...(row.scope !== null && { scope: row.scope }),
      }
    );
  }

  /**
   * Deletes the items about entities of a namespace, including those set aside, and the users in
   * the namespace with all of their items.
   *
   * @returns the number of deleted items.
   */
  async forgetNamespace(namespace: string): Promise<number> {
    await this.#users()
      .where(isAbout(['user_ref'], namespace))
      .delete();
    return this.#items()
      .where(isAbout(['entity_ref', 'user_ref'], namespace))
      .delete();
  }

  /**
   * Deletes items that no part has reported since `before`, and users who since then have neither
   * been in the catalog nor opened the inbox, with their items.
   */
  async purge(before: number): Promise<void> {
    await this.#items().where('seen_at', '<', before).delete();
    const gone = () =>
      this.#users()
        .where('missing_since', '<', before)
        .where(absent =>
          absent.whereNull('visited_at').orWhere('visited_at', '<', before),
        );
    await this.#items().whereIn('user_ref', gone().select('user_ref')).delete();
    await gone().delete();
  }
}

/** Returns the columns that identify the notifications about an item. */
function aboutOf({ entityRef, scope }: Noticed) {
  return { entity_ref: entityRef ?? null, scope: scope ?? null };
}

function stateOf(row: ItemRow | undefined): ItemState {
  return {
    isAnnounced: (row?.announced_at ?? null) !== null,
    aside: asideOf(row),
  };
}

function asideOf(row: ItemRow | undefined): Aside | null {
  switch (row?.aside) {
    case 'done':
      return { state: 'done', until: null };
    case 'snoozed':
      return { state: 'snoozed', until: Number(row.aside_until) };
    default:
      return null;
  }
}
