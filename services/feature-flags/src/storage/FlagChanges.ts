import type { Database } from '@slipway/service-kit';

/** A change of a flag for a timeline. */
export interface TimelineChange {
  readonly id: number;
  /** The type of event in Unleash, e.g. `feature-updated`. */
  readonly type: string;
  readonly flag: string;
  /** The environment that was changed; null for a change to all of them. */
  readonly environment: string | null;
  readonly by: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** True if the flag was on before; undefined if it did not exist. */
  readonly wasOn: boolean | undefined;
  readonly isOn: boolean | undefined;
}

/** Maximum number of flags in one query, within the limits of SQLite. */
const MAX_FLAGS = 500;

/** Reads the changes of several flags from the history. */
export class FlagChanges {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists changes, newest first, of the first 500 flags. */
  async list(
    flags: readonly string[],
    { from, to, limit }: { from: number; to: number; limit: number },
  ): Promise<TimelineChange[]> {
    if (flags.length === 0) {
      return [];
    }
    const rows: {
      id: number | string;
      type: string;
      subject: string;
      environment: string | null;
      created_by: string;
      created_at: number | string;
      before: string | null;
      after: string | null;
    }[] = await this.#database
      .knex('history')
      .whereIn('subject', flags.slice(0, MAX_FLAGS))
      .where('type', 'like', 'feature-%')
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .orderBy('id', 'desc')
      .limit(limit);
    return rows.map(row => ({
      id: Number(row.id),
      type: row.type,
      flag: row.subject,
      environment: row.environment,
      by: row.created_by,
      at: Number(row.created_at),
      wasOn: enabledIn(row.before),
      isOn: enabledIn(row.after),
    }));
  }
}

function enabledIn(state: string | null): boolean | undefined {
  const { enabled } = (state === null ? {} : JSON.parse(state)) as {
    enabled?: boolean;
  };
  return enabled;
}
