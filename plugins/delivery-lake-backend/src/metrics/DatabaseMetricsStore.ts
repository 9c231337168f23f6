import type { Knex } from 'knex';
import { DurationKind } from '../derivation/durationBucket';
import { ServiceIds } from '../scope/LakeService';
import { Counts, StampedCounts } from './counts';
import { DatabaseCounts } from './DatabaseCounts';
import { DatabaseHistograms } from './DatabaseHistograms';
import { DatabaseMedians } from './DatabaseMedians';
import { DatabaseRawCounts } from './DatabaseRawCounts';
import { DayPart, DayRange, SplitPeriod } from './localDays';
import { MetricsStore } from './MetricsStore';

/** Reads what the metrics are made of from the lake's database. */
export class DatabaseMetricsStore implements MetricsStore {
  readonly #db: Knex;
  readonly #counts: DatabaseCounts;
  readonly #rawCounts: DatabaseRawCounts;
  readonly #medians: DatabaseMedians;
  readonly #histograms: DatabaseHistograms;

  constructor(db: Knex) {
    this.#db = db;
    this.#counts = new DatabaseCounts(db);
    this.#rawCounts = new DatabaseRawCounts(db);
    this.#medians = new DatabaseMedians(db);
    this.#histograms = new DatabaseHistograms(db);
  }

  async dailyCounts(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>> {
    return services.length === 0
      ? new Map()
      : this.#counts.daily(services, days);
  }

  async serviceCounts(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>> {
    return services.length === 0
      ? new Map()
      : this.#counts.byService(services, days);
  }

  async rawCounts(
    services: ServiceIds,
    part: DayPart,
  ): Promise<Map<number, Counts>> {
    return services.length === 0
      ? new Map()
      : this.#rawCounts.read(services, part);
  }

  async median(
    kind: DurationKind,
    services: ServiceIds,
    period: SplitPeriod,
  ): Promise<number | null> {
    if (services === 'all') {
      return this.#histograms.median(kind, period);
    }
    return services.length === 0
      ? null
      : this.#medians.median(kind, services, period);
  }

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
    const [row]: { open: number | string }[] = await query;
    return Number(row.open);
  }
}
