import { setImmediate as turn } from 'node:timers/promises';
import type Database from 'better-sqlite3';

/** Positions per step, to limit how long it blocks incoming events. */
const RENEWED_AT_ONCE = 5_000;

/** Times in milliseconds since the Unix epoch. */
export interface RenewedTimes {
  /** Earlier events were imported, and keep their time. */
  readonly since: number;
  /** The new time of arrival. */
  readonly now: number;
}

/**
 * Gives events of a journal a new time of arrival, step by step.
 * @param table - `events` or `deferred`.
 * @param after - the position after which events get one.
 */
export async function renewArrivals(
  database: Database.Database,
  table: 'events' | 'deferred',
  { after, since, now }: RenewedTimes & { after: number },
): Promise<void> {
  const end = database
    .prepare(
      `SELECT max(seq) FROM (SELECT seq FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?)`,
    )
    .pluck();
  const renew = database.prepare(
    `UPDATE ${table} SET created_at = ? WHERE seq > ? AND seq <= ? AND created_at >= ? AND created_at < ?`,
  );
  for (let first = after; ;) {
    const last = end.get(first, RENEWED_AT_ONCE) as number | null;
    if (last === null) {
      return;
    }
    renew.run(now, first, last, since, now);
    first = last;
    await turn();
  }
}
