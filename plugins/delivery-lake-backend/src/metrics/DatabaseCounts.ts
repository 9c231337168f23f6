import type { Knex } from 'knex';
import { DURATION_KIND } from '../derivation/durationBucket';
import { ServiceIds } from '../scope/LakeService';
import { COUNT_FIELDS, Counts, noCounts, StampedCounts } from './counts';
import { DayRange } from './localDays';
import { Period } from './period';

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
const EVERYTHING = 0;

/** PostgreSQL gives sums as text. */
type RollupRow = Record<keyof Counts, number | string> & {
  key: number;
  rows: number | string;
  revisions: string;
};

interface DurationRow {
  service_id: number;
  kind: number;
  known: number | string;
  total: number | string;
}

interface DeploymentRow
  extends Record<
    'deployments' | 'failed' | 'failedGuessed' | 'rework' | 'reworkGuessed',
    number | string
  > {
  service_id: number;
}

/** Narrows a query to services; `all` by a list too, for indexes begin with the service. */
export function whereServices(
  query: Knex.QueryBuilder,
  services: ServiceIds,
  db: Knex,
): void {
  query.whereIn(
    'service_id',
    services === 'all' ? db('services').select('id') : services,
  );
}

/** Reads counts: from the rollups for whole days, from the records for parts. */
export class DatabaseCounts {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  async daily(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>> {
    const query = this.#rollups('day', days);
    query.whereIn('service_id', services === 'all' ? [EVERYTHING] : services);
    return this.#read(query);
  }

  async byService(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>> {
    const query = this.#rollups('service_id', days);
    whereServices(query, services, this.#db);
    return this.#read(query);
  }

  async raw(
    services: ServiceIds,
    period: Period,
  ): Promise<Map<number, Counts>> {
    const byService = new Map<number, Counts>();
    const of = (id: number): Counts => {
      const counts = byService.get(id) ?? noCounts();
      byService.set(id, counts);
      return counts;
    };
    const [deployments, durations] = await Promise.all([
      this.#deployments(services, period),
      this.#durations(services, period),
    ]);
    for (const { service_id, ...sums } of deployments) {
      for (const field of COUNT_FIELDS) {
        if (field in sums) {
          of(service_id)[field] = Number(sums[field as keyof typeof sums]);
        }
      }
    }
    for (const { service_id, kind, known, total } of durations) {
      const counts = of(service_id);
      if (kind === DURATION_KIND.lead) {
        counts.changes = Number(known);
        counts.changesUnknown = Number(total) - Number(known);
      } else if (kind === DURATION_KIND.restore) {
        counts.restores = Number(known);
      } else {
        counts.recoveries = Number(known);
      }
    }
    return byService;
  }

  #rollups(key: 'day' | 'service_id', days: DayRange): Knex.QueryBuilder {
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

  async #deployments(
    services: ServiceIds,
    period: Period,
  ): Promise<DeploymentRow[]> {
    const query: Knex.QueryBuilder = this.#db('deployments')
      .where({ counted: 1 })
      .where('finished_at', '>=', period.start)
      .where('finished_at', '<', period.end)
      .groupBy('service_id')
      .select('service_id')
      .count({ deployments: '*' })
      .sum({ failed: 'failed', rework: 'rework' })
      .select(
        this.#db.raw(
          "SUM(CASE WHEN failure_cause = 'guess' THEN failed ELSE 0 END) AS ??",
          ['failedGuessed'],
        ),
        this.#db.raw(
          "SUM(CASE WHEN rework_cause = 'guess' THEN rework ELSE 0 END) AS ??",
          ['reworkGuessed'],
        ),
      );
    if (services !== 'all') {
      query.whereIn('service_id', services);
    }
    return query;
  }

  async #durations(
    services: ServiceIds,
    period: Period,
  ): Promise<DurationRow[]> {
    const query: Knex.QueryBuilder = this.#db('durations')
      .whereIn('kind', Object.values(DURATION_KIND))
      .where('ended_at', '>=', period.start)
      .where('ended_at', '<', period.end)
      .groupBy('service_id', 'kind')
      .select('service_id', 'kind')
      .count({ known: 'duration', total: '*' });
    whereServices(query, services, this.#db);
    return query;
  }
}
