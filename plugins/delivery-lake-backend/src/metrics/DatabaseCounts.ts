import type { Knex } from 'knex';
import { ServiceIds } from '../scope/LakeService';
import { COUNT_FIELDS, Counts, noCounts, StampedCounts } from './counts';
import { DayRange } from './localDays';

const COLUMN: Record<keyof Counts, string> = {
  deployments: 'deployments',
  failed: 'failed',
  failedGuessed: 'failed_guessed',
  rework: 'rework',
  reworkGuessed: 'rework_guessed',
  changes: 'changes',
  changesUnknown: 'changes_unknown',
  restores: 'restores',
  recoveries: 'recoveries',
};

/** The service id under which rollups hold everything together. */
export const EVERYTHING = 0;

/** PostgreSQL gives sums as text. */
type RollupRow = Record<keyof Counts, number | string> & {
  key: number;
  rows: number | string;
  revisions: string;
};

/** Reads the counts of whole days from the rollups. */
export class DatabaseCounts {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  /** By day. */
  async daily(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>> {
    const ids = services === 'all' ? [EVERYTHING] : services;
    return this.#read(this.#sums('day', days).whereIn('service_id', ids));
  }

  /** By service. */
  async byService(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>> {
    // A list for everything, too: the index begins with the service.
    const ids =
      services === 'all' ? this.#db('services').select('id') : services;
    return this.#read(
      this.#sums('service_id', days).whereIn('service_id', ids),
    );
  }

  #sums(key: 'day' | 'service_id', days: DayRange): Knex.QueryBuilder {
    return this.#db('rollup_counts')
      .whereBetween('day', [days.first, days.last])
      .groupBy(key)
      .select({ key })
      .count({ rows: '*' })
      .sum(COLUMN)
      .select(this.#db.raw('CAST(SUM(revision) AS TEXT) AS revisions'));
  }

  async #read(query: Knex.QueryBuilder): Promise<Map<number, StampedCounts>> {
    const rows: RollupRow[] = await query;
    return new Map(
      rows.map(row => {
        const counts = noCounts();
        for (const field of COUNT_FIELDS) {
          counts[field] = Number(row[field]);
        }
        const stamp = {
          rows: Number(row.rows),
          revisions: BigInt(row.revisions),
        };
        return [row.key, { counts, stamp }];
      }),
    );
  }
}
