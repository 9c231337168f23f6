import { isPostgres } from '@slipway/portal-kit';
import type { Knex } from 'knex';
import { DurationKind } from '../derivation/durationBucket';
import { Period } from './period';

interface ValueRow {
  duration: number | string;
  size: number | string;
}

/**
 * The two values from the middle on, of which the first alone counts when their
 * number is odd. SQLite reads a materialized part in the order in which it was
 * written: sorting it a second time would cost half as much again.
 */
const MIDDLE = `
  SELECT duration, (SELECT COUNT(*) FROM samples) AS size FROM samples
  LIMIT 2 OFFSET (SELECT (COUNT(*) - 1) / 2 FROM samples)`;

/** Mean of the two middle values, or the one there is in the middle. */
export function middle(values: number[], samples: number): number {
  return samples % 2 === 1 ? values[0] : (values[0] + values[1]) / 2;
}

/** Exact medians of the durations of some services. */
export class DatabaseMedians {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  /**
   * One statement, so that size and values belong together whatever is derived
   * meanwhile: PostgreSQL interpolates, which at 0.5 is the mean of the middle two;
   * SQLite sorts what the index gives and goes to the middle.
   *
   * @param serviceIds - internal ids, at least one.
   */
  async median(
    kind: DurationKind,
    serviceIds: number[],
    period: Period,
  ): Promise<number | null> {
    const db = this.#db;
    const samples = db('durations')
      .select('duration')
      .where({ kind })
      .whereIn('service_id', serviceIds)
      .where('ended_at', '>=', period.start)
      .where('ended_at', '<', period.end)
      .whereNotNull('duration');
    if (isPostgres(db)) {
      const [row] = await db
        .from(samples.as('samples'))
        .select<{ median: number | null }[]>(
          db.raw(
            'percentile_cont(0.5) WITHIN GROUP (ORDER BY duration) AS median',
          ),
        );
      return row.median;
    }
    samples.orderBy('duration');
    const rows: ValueRow[] = await db
      .withMaterialized('samples', samples)
      .select('duration', 'size')
      .from(db.raw(`(${MIDDLE}) AS middle`));
    return rows.length === 0
      ? null
      : middle(
          rows.map(row => Number(row.duration)).sort((a, b) => a - b),
          Number(rows[0].size),
        );
  }
}
