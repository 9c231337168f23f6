import type { Database } from '@slipway/service-kit';

/** Events of a project in a minute. Minutes are counted from 1970-01-01 in UTC. */
export interface IngestionMinute {
  readonly projectId: string;
  readonly minute: number;
  readonly received: number;
  readonly repeated: number;
  readonly repaired: number;
  /** Milliseconds since the Unix epoch. */
  readonly lastAt: number;
}

/** The unknown part of a request. */
export type UnknownKind = 'key' | 'path';

/** Requests with the same unknown key or path. */
export interface UnknownRequest {
  readonly kind: UnknownKind;
  /** The masked key, or the path. */
  readonly name: string;
  readonly requests: number;
  /** Milliseconds since the Unix epoch. */
  readonly lastAt: number;
}

/** Maximum unknown keys, and maximum unknown paths, that are kept. */
const MOST_UNKNOWN = 100;
const COUNTS = ['received', 'repeated', 'repaired'] as const;

/** Stores the counts of ingestion in the service's database. */
export class IngestionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds to the counts of projects and minutes. */
  async add(entries: readonly IngestionMinute[]): Promise<void> {
    await this.#database.transaction(async trx => {
      for (const { projectId, minute, lastAt, ...counts } of entries) {
        await trx('ingestion_minutes')
          .insert({
            ...counts,
            project_id: projectId,
            minute,
            last_at: lastAt,
          })
          .onConflict(['project_id', 'minute'])
          .merge({
            last_at: lastAt,
            ...Object.fromEntries(
              COUNTS.map(name => [
                name,
                trx.raw('?? + ?', [`ingestion_minutes.${name}`, counts[name]]),
              ]),
            ),
          });
      }
    });
  }

  /** Adds to the counts of unknown keys and paths, and deletes all but the latest. */
  async addUnknown(entries: readonly UnknownRequest[]): Promise<void> {
    await this.#database.transaction(async trx => {
      for (const { kind, name, requests, lastAt } of entries) {
        await trx('unknown_requests')
          .insert({ kind, name, requests, last_at: lastAt })
          .onConflict(['kind', 'name'])
          .merge({
            last_at: lastAt,
            requests: trx.raw('?? + ?', [
              'unknown_requests.requests',
              requests,
            ]),
          });
      }
      for (const kind of new Set(entries.map(entry => entry.kind))) {
        const last = await trx('unknown_requests')
          .where({ kind })
          .orderBy('last_at', 'desc')
          .offset(MOST_UNKNOWN)
          .first('last_at');
        if (last) {
          await trx('unknown_requests')
            .where({ kind })
            .where('last_at', '<=', last.last_at)
            .delete();
        }
      }
    });
  }

  /** Lists the minutes after a given one in which a project received events. */
  async list(
    projectId: string,
    after: number,
  ): Promise<Pick<IngestionMinute, 'minute' | 'received'>[]> {
    const rows = await this.#database
      .knex('ingestion_minutes')
      .where({ project_id: projectId })
      .where('minute', '>', after)
      .select('minute', 'received');
    return rows.map(({ minute, received }) => ({
      minute: Number(minute),
      received: Number(received),
    }));
  }

  /** Adds up the counts of a project after a given minute. */
  async sum(
    projectId: string,
    after: number,
  ): Promise<Record<(typeof COUNTS)[number], number>> {
    const row = await this.#database
      .knex('ingestion_minutes')
      .where({ project_id: projectId })
      .where('minute', '>', after)
      .sum({ received: 'received', repeated: 'repeated', repaired: 'repaired' })
      .first();
    return {
      received: Number(row?.received ?? 0),
      repeated: Number(row?.repeated ?? 0),
      repaired: Number(row?.repaired ?? 0),
    };
  }

  /** Returns when the last event of a project arrived. */
  async lastAt(projectId: string): Promise<number | undefined> {
    const row = await this.#database
      .knex('ingestion_minutes')
      .where({ project_id: projectId })
      .where('received', '>', 0)
      .orderBy('minute', 'desc')
      .first('last_at');
    return row && Number(row.last_at);
  }

  /** Lists unknown keys and paths, latest first. */
  async listUnknown(): Promise<UnknownRequest[]> {
    const rows = await this.#database
      .knex('unknown_requests')
      .orderBy([{ column: 'last_at', order: 'desc' }, 'kind', 'name']);
    return rows.map(({ kind, name, requests, last_at: lastAt }) => ({
      kind,
      name,
      requests: Number(requests),
      lastAt: Number(lastAt),
    }));
  }

  /** Deletes counts from before a time, given as a minute and in milliseconds. */
  async purge(before: { minute: number; at: number }): Promise<void> {
    await this.#database.transaction(async trx => {
      await trx('ingestion_minutes')
        .where('minute', '<', before.minute)
        .delete();
      await trx('unknown_requests').where('last_at', '<', before.at).delete();
    });
  }
}
