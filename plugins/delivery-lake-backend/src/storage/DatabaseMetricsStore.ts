import { isPostgres } from '@slipway/portal-kit/database';
import type { Knex } from 'knex';
import {
  DayPart,
  DayRange,
  Period,
  SplitPeriod,
  wholeMonths,
} from '../days/period';
import { DurationKind } from '../derivation/ServiceHistory';
import { Counts, StampedCounts } from '../derivation/Counts';
import { ServiceIds } from '../scope/ScopeResolver';
import { DatabaseCounts, DatabaseRawCounts } from './metricCounts';
import type { BigInteger } from './BatchSql';

interface ValueRow {
  duration: BigInteger;
  size: BigInteger;
}

/**
 * Selects the two middle values; with an odd number of samples, only the first is used. SQLite
 * reads a materialized CTE in the order in which it was written; sorting it again would take half
 * as long again.
 */
const MIDDLE = `
  SELECT duration, (SELECT COUNT(*) FROM samples) AS size FROM samples
  LIMIT 2 OFFSET (SELECT (COUNT(*) - 1) / 2 FROM samples)`;

/** Returns the median: the mean of the two middle values, or the only middle one. */
function middle(values: number[], samples: number): number {
  return samples % 2 === 1 ? values[0] : (values[0] + values[1]) / 2;
}

/**
 * Returns the median of the durations of some services that ended in a period. Uses a single statement,
 * so that count and values stay consistent while data is being derived. PostgreSQL interpolates, so its
 * median is the mean of the two middle values; SQLite sorts the values from the index and skips to the
 * middle.
 *
 * @param serviceIds - internal ids, at least one.
 */
async function medianOfServices(
  db: Knex,
  kind: DurationKind,
  serviceIds: number[],
  period: Period,
): Promise<number | null> {
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

/** Number of samples in each bucket. */
type Histogram = Map<number, number>;

interface BucketRow {
  bucket: number;
  samples: BigInteger;
}

/** Maximum number of attempts, because concurrent derivation may move values between two reads. */
const ATTEMPTS = 3;

/** Finds the bucket of a rank (from 0), and the rank within it. */
function locate(
  histogram: Histogram,
  rank: number,
): { bucket: number; offset: number } {
  let before = 0;
  for (const bucket of [...histogram.keys()].sort((a, b) => a - b)) {
    const samples = histogram.get(bucket) ?? 0;
    if (rank < before + samples) {
      return { bucket, offset: rank - before };
    }
    before += samples;
  }
  throw new Error(`A histogram of ${before} samples has no rank ${rank}`);
}

/**
 * Reads the exact median of the durations of all services in a period: histograms by month and day
 * locate the bucket of the median, and only that bucket's values are sorted.
 */
class MedianOfAll {
  readonly #db: Knex;
  readonly #kind: DurationKind;
  readonly #period: SplitPeriod;

  constructor(db: Knex, kind: DurationKind, period: SplitPeriod) {
    this.#db = db;
    this.#kind = kind;
    this.#period = period;
  }

  async read(): Promise<number | null> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const histogram = await this.#histogram();
      const samples = [...histogram.values()].reduce((a, b) => a + b, 0);
      if (samples === 0) {
        return null;
      }
      const values = await this.#middleValues(histogram, samples);
      if (values.every(value => value !== undefined)) {
        return middle(values, samples);
      }
    }
    throw new Error('The histograms and the durations do not agree');
  }

  async #middleValues(
    histogram: Histogram,
    samples: number,
  ): Promise<(number | undefined)[]> {
    const lower = locate(histogram, Math.floor((samples - 1) / 2));
    const upper = locate(histogram, Math.floor(samples / 2));
    if (lower.bucket === upper.bucket) {
      const count = upper.offset - lower.offset + 1;
      const values = await this.#values(lower, count);
      return Array.from({ length: count }, (_, index) => values[index]);
    }
    const [[low], [high]] = await Promise.all([
      this.#values(lower, 1),
      this.#values(upper, 1),
    ]);
    return [low, high];
  }

  async #values(
    { bucket, offset }: { bucket: number; offset: number },
    count: number,
  ): Promise<number[]> {
    const rows: { duration: BigInteger }[] = await this.#db('durations')
      .select('duration')
      .where({ kind: this.#kind, bucket })
      .where('ended_at', '>=', this.#period.start)
      .where('ended_at', '<', this.#period.end)
      .orderBy('duration')
      .limit(count)
      .offset(offset);
    return rows.map(row => Number(row.duration));
  }

  async #histogram(): Promise<Histogram> {
    const { whole, edges } = this.#period;
    const { months, days } = whole
      ? wholeMonths(whole)
      : { months: undefined, days: [] };
    const ranges = months ? [months, ...days] : days;
    const parts = await Promise.all([
      ...ranges.map(range => this.#rollup(range)),
      ...edges.map(edge => this.#edge(edge)),
    ]);
    const histogram: Histogram = new Map();
    for (const { bucket, samples } of parts.flat()) {
      histogram.set(bucket, (histogram.get(bucket) ?? 0) + Number(samples));
    }
    return histogram;
  }

  async #rollup(range: DayRange): Promise<BucketRow[]> {
    return this.#db('rollup_durations')
      .where({ kind: this.#kind })
      .whereBetween('period', [range.first, range.last])
      .groupBy('bucket')
      .select('bucket')
      .sum({ samples: 'samples' });
  }

  /**
   * Reads the histogram of part of a day. No index covers only time, but the day's histogram
   * narrows down the buckets to read.
   */
  async #edge(edge: DayPart): Promise<BucketRow[]> {
    return this.#db({ r: 'rollup_durations' })
      .join({ d: 'durations' }, join =>
        join.on('d.kind', 'r.kind').andOn('d.bucket', 'r.bucket'),
      )
      .where({ 'r.kind': this.#kind, 'r.period': edge.day })
      .where('r.samples', '>', 0)
      .where('d.ended_at', '>=', edge.start)
      .where('d.ended_at', '<', edge.end)
      .groupBy('r.bucket')
      .select({ bucket: 'r.bucket' })
      .count({ samples: '*' });
  }
}

/**
 * Reads the figures of the metrics from the lake's database. An empty list of services gives empty
 * figures.
 */
export class DatabaseMetricsStore {
  readonly #db: Knex;
  readonly #counts: DatabaseCounts;
  readonly #rawCounts: DatabaseRawCounts;

  constructor(db: Knex) {
    this.#db = db;
    this.#counts = new DatabaseCounts(db);
    this.#rawCounts = new DatabaseRawCounts(db);
  }

  /** Returns the total counts of the services for each day that has any. */
  async dailyCounts(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>> {
    return services.length === 0
      ? new Map()
      : this.#counts.daily(services, days);
  }

  /** Returns the total counts of the days for each service that has any. */
  async serviceCounts(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>> {
    return services.length === 0
      ? new Map()
      : this.#counts.byService(services, days);
  }

  /**
   * Counts records directly, for parts of days: by service, or in total under the key 0.
   */
  async rawCounts(
    services: ServiceIds,
    part: DayPart,
  ): Promise<Map<number, Counts>> {
    return services.length === 0
      ? new Map()
      : this.#rawCounts.read(services, part);
  }

  /**
   * Returns the exact median, in milliseconds, of durations that ended in the period; null if there
   * are none.
   */
  async median(
    kind: DurationKind,
    services: ServiceIds,
    period: SplitPeriod,
  ): Promise<number | null> {
    if (services === 'all') {
      return new MedianOfAll(this.#db, kind, period).read();
    }
    return services.length === 0
      ? null
      : medianOfServices(this.#db, kind, services, period);
  }

  /** Returns the number of unresolved production incidents of the services. */
  async openIncidents(services: ServiceIds): Promise<number> {
    const query: Knex.QueryBuilder = this.#db('incidents')
      .where({ environment: 'prod' })
      .whereNull('resolved_at')
      .count({ open: '*' });
    if (services === 'all') {
      query.whereNotNull('service_id');
    } else {
      query.whereIn('service_id', services);
    }
    const [row]: { open: BigInteger }[] = await query;
    return Number(row.open);
  }
}
