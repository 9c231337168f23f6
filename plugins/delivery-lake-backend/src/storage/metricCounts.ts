import type { Knex } from 'knex';
import { DayPart, DayRange } from '../days/period';
import { DURATION_KIND, DurationKind } from '../derivation/ServiceHistory';
import {
  COUNT_FIELDS,
  Counts,
  noCounts,
  StampedCounts,
} from '../derivation/Counts';
import { ServiceIds } from '../scope/ScopeResolver';
import type { BigInteger } from './BatchSql';

/** The columns of `rollup_counts`, and of counting statements, by field. */
export const COUNT_COLUMN: Record<keyof Counts, string> = {
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

/** The columns of {@link COUNT_COLUMN}. */
export const COUNT_COLUMNS = Object.values(COUNT_COLUMN);

/** The service id of rollups over all services. */
export const EVERYTHING = 0;

type RollupRow = Record<keyof Counts, BigInteger> & {
  key: number;
  rows: BigInteger;
  revisions: string;
};

/** Reads the counts of whole days from the rollups. */
export class DatabaseCounts {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  /** Sums the counts of services by day. */
  async daily(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>> {
    const ids = services === 'all' ? [EVERYTHING] : services;
    return this.#read(this.#sums('day', days).whereIn('service_id', ids));
  }

  /** Sums the counts of days by service. */
  async byService(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>> {
    // Lists the services even for the total, because the index starts with the service.
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
      .sum(COUNT_COLUMN)
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

interface DurationRow {
  service_id: number;
  kind: DurationKind;
  known: BigInteger;
  unknown: BigInteger;
}

type DeploymentCounts = Pick<
  Counts,
  'deployments' | 'failed' | 'failedGuessed' | 'rework' | 'reworkGuessed'
>;
type DeploymentRow = Record<keyof DeploymentCounts, BigInteger> & {
  service_id: number;
};

/** Counts records in parts of days, for which there are no rollups. */
export class DatabaseRawCounts {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  /** Counts by service, or in total under the key 0. */
  async read(
    services: ServiceIds,
    part: DayPart,
  ): Promise<Map<number, Counts>> {
    const [deployments, durations] = await Promise.all([
      this.#deployments(services, part),
      services === 'all'
        ? this.#allDurations(part)
        : this.#durations(services, part),
    ]);
    const result = new Map<number, Counts>();
    const of = (service: number): Counts => {
      const key = services === 'all' ? EVERYTHING : service;
      const counts = result.get(key) ?? noCounts();
      result.set(key, counts);
      return counts;
    };
    for (const row of deployments) {
      const counts = of(row.service_id);
      counts.deployments += Number(row.deployments);
      counts.failed += Number(row.failed);
      counts.failedGuessed += Number(row.failedGuessed);
      counts.rework += Number(row.rework);
      counts.reworkGuessed += Number(row.reworkGuessed);
    }
    for (const { service_id, kind, known, unknown } of durations) {
      const counts = of(service_id);
      if (kind === DURATION_KIND.lead) {
        counts.changes += Number(known);
        counts.changesUnknown += Number(unknown);
      } else if (kind === DURATION_KIND.restore) {
        counts.restores += Number(known);
      } else {
        counts.recoveries += Number(known);
      }
    }
    return result;
  }

  async #deployments(
    services: ServiceIds,
    part: DayPart,
  ): Promise<DeploymentRow[]> {
    const guessed = (flag: string, name: keyof DeploymentCounts) =>
      this.#db.raw("SUM(CASE WHEN ?? = 'guess' THEN ?? ELSE 0 END) AS ??", [
        flag === 'failed' ? 'failure_cause' : 'rework_cause',
        flag,
        name,
      ]);
    const query: Knex.QueryBuilder = this.#db('deployments')
      .where({ counted: 1 })
      .where('finished_at', '>=', part.start)
      .where('finished_at', '<', part.end)
      .groupBy('service_id')
      .select('service_id')
      .count({ deployments: '*' })
      .sum({ failed: 'failed', rework: 'rework' })
      .select(guessed('failed', 'failedGuessed'))
      .select(guessed('rework', 'reworkGuessed'));
    return services === 'all' ? query : query.whereIn('service_id', services);
  }

  async #durations(services: number[], part: DayPart): Promise<DurationRow[]> {
    const query: Knex.QueryBuilder = this.#db('durations')
      .whereIn('kind', Object.values(DURATION_KIND))
      .whereIn('service_id', services)
      .where('ended_at', '>=', part.start)
      .where('ended_at', '<', part.end)
      .groupBy('service_id', 'kind')
      .select('service_id', 'kind')
      .count({ known: 'duration' })
      .select(this.#db.raw('COUNT(*) - COUNT(duration) AS unknown'));
    return query;
  }

  /**
   * Reads the durations of all services. No index covers only time, but the day's histogram narrows
   * down the buckets to read.
   */
  async #allDurations(part: DayPart): Promise<DurationRow[]> {
    const within = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
      query
        .where('d.ended_at', '>=', part.start)
        .where('d.ended_at', '<', part.end);
    const [known, [{ unknown }]] = await Promise.all([
      within(
        this.#db({ r: 'rollup_durations' })
          .join({ d: 'durations' }, join =>
            join.on('d.kind', 'r.kind').andOn('d.bucket', 'r.bucket'),
          )
          .whereIn('r.kind', Object.values(DURATION_KIND))
          .where('r.period', part.day)
          .where('r.samples', '>', 0),
      )
        .groupBy('r.kind')
        .select('r.kind')
        .count({ known: '*' }),
      within(this.#db({ d: 'durations' }))
        .where('d.kind', DURATION_KIND.lead)
        .whereNull('d.bucket')
        .count({ unknown: '*' }),
    ]);
    const { lead } = DURATION_KIND;
    return [
      ...known.map((row: Pick<DurationRow, 'kind' | 'known'>) => ({
        ...row,
        service_id: EVERYTHING,
        unknown: 0,
      })),
      { kind: lead, service_id: EVERYTHING, known: 0, unknown },
    ];
  }
}
