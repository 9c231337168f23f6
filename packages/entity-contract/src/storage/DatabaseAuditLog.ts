import type { Knex } from 'knex';
import type { AuditAnswer } from '../audit.ts';
import { isoOf } from '../figure.ts';

const LONGEST = 255;

/** An entry to be stored. */
export interface Act {
  /** Milliseconds since the Unix epoch. */
  at: number;
  actor: string;
  action: string;
  target: string | null;
}

/** Filters of an audit query. Times are milliseconds since the Unix epoch. */
export interface AuditQuery {
  /** Inclusive. */
  from: number;
  /** Exclusive. */
  to: number;
  /** Text to find in actor, action or target, ignoring case. */
  text: string | undefined;
  limit: number;
}

/** The audit log of a part of the platform, in its own database. */
export class DatabaseAuditLog {
  readonly #rows: () => Knex.QueryBuilder;

  /** @param table - with the columns id, at, actor, action and target. */
  constructor(knex: Knex, table: string) {
    this.#rows = () => knex(table);
  }

  async add({ at, actor, action, target }: Act): Promise<void> {
    await this.#rows().insert({
      at,
      actor: actor.slice(0, LONGEST),
      action: action.slice(0, LONGEST),
      target: target && target.slice(0, LONGEST),
    });
  }

  /** Lists entries, newest first. */
  async list({ from, to, text, limit }: AuditQuery): Promise<AuditAnswer> {
    const query = this.#rows()
      .where('at', '>=', from)
      .where('at', '<', to)
      .orderBy([
        { column: 'at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit + 1);
    if (text !== undefined) {
      const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
      query.where(either => {
        for (const column of ['actor', 'action', 'target']) {
          // The database lowercases both sides, because SQLite only lowercases ASCII letters.
          either.orWhereRaw(`LOWER(??) LIKE LOWER(?) ESCAPE '\\'`, [
            column,
            pattern,
          ]);
        }
      });
    }
    const rows: (Act & { id: number })[] = await query;
    return {
      entries: rows
        .slice(0, limit)
        .map(({ id, at, actor, action, target }) => ({
          id: String(id),
          at: isoOf(Number(at)),
          by: actor,
          action,
          target,
        })),
      truncated: rows.length > limit,
    };
  }

  /** Deletes entries older than a time, in milliseconds since the Unix epoch. */
  async purge(before: number): Promise<void> {
    await this.#rows().where('at', '<', before).delete();
  }
}
