import { isoOf } from '@slipway/entity-contract';
import {
  BreakdownResponse,
  DoraMetricsResponse,
  DoraSeriesResponse,
  ImprovementsResponse,
} from '@slipway/plugin-delivery-lake-common';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { DeliveryLakeConfig } from '../config';
import {
  elapsedPart,
  parsePeriod,
  Period,
  previousPeriod,
  seriesBuckets,
  splitPeriod,
  toDoraPeriod,
} from '../days/period';
import { Deriver } from '../derivation/Deriver';
import {
  BreakdownQuery,
  MetricsQuery,
  SeriesQuery,
} from '../scope/querySchemas';
import {
  drainScope,
  ScopeKind,
  ScopeQuery,
  ScopeResolver,
  ServiceIds,
} from '../scope/ScopeResolver';
import { DatabaseMetricsStore } from '../storage/DatabaseMetricsStore';
import { DatabaseServiceStore } from '../storage/services';
import { ComparisonReader, findImprovements } from './ComparisonReader';
import {
  doraMetrics,
  Levels,
  mapMetrics,
  metricValues,
  rounded,
} from './doraMetric';
import { FiguresReader } from './FiguresReader';
import { PartsReader } from './PartsReader';

/** Maximum number of parts that are searched for improvements. */
const PARTS_TO_IMPROVE = 50;

/** Options of the service. */
export interface DoraServiceOptions {
  store: DatabaseMetricsStore;
  services: DatabaseServiceStore;
  deriver: Deriver;
  directory: ServiceDirectory;
  config: DeliveryLakeConfig;
  /** Default: `Date.now`. */
  now?: () => number;
}

/** Answers queries about the metrics: current values, series, breakdowns and improvements. */
export class DoraService {
  readonly #options: Required<DoraServiceOptions>;
  readonly #timeZone: string;
  readonly #scopes: ScopeResolver;
  readonly #figures: FiguresReader;
  readonly #levels: Levels;
  readonly #comparisons: ComparisonReader;

  constructor(options: DoraServiceOptions) {
    this.#options = { now: Date.now, ...options };
    const { store, services, directory, config } = options;
    const { timeZone } = config;
    this.#timeZone = timeZone;
    this.#scopes = new ScopeResolver({ store: services, directory });
    this.#figures = new FiguresReader({ store });
    const parts = new PartsReader({ store, figures: this.#figures, timeZone });
    this.#levels = new Levels({
      ...this.#options,
      dora: config.dora,
      parts,
    });
    this.#comparisons = new ComparisonReader({
      services,
      directory,
      parts,
      levels: this.#levels,
    });
  }

  /** `GET /dora-metrics`. @throws InputError for invalid dates. */
  async metrics(query: MetricsQuery): Promise<DoraMetricsResponse> {
    const { period, elapsed, services } = await this.#ask(query);
    const [[current, previous], openIncidents, levelOf] = await Promise.all([
      this.#figures.read(
        services,
        [elapsed, previousPeriod(elapsed)].map(each =>
          splitPeriod(each, this.#timeZone),
        ),
      ),
      this.#options.store.openIncidents(services),
      this.#levels.of(kindOf(query), elapsed, isWhole(query)),
    ]);
    const { failedDeploymentRecoveryTime, deploymentReworkRate, ...metrics } =
      doraMetrics({ current, previous }, levelOf);
    const { failed, failedGuessed, changesUnknown } = current.counts;
    return {
      project: query.project ?? 'all',
      team: query.team ?? 'all',
      ...(query.service === undefined ? {} : { service: query.service }),
      period: toDoraPeriod(period, this.#timeZone),
      metrics,
      beyond: {
        failedDeploymentRecoveryTime,
        deploymentReworkRate,
        failures: { linked: failed - failedGuessed, guessed: failedGuessed },
        changesWithoutLeadTime: changesUnknown,
        openIncidents,
        levels: this.#options.config.dora.levels,
        timeZone: this.#timeZone,
      },
    };
  }

  /** `GET /dora-series`. @throws InputError for invalid dates and too many points. */
  async series(query: SeriesQuery): Promise<DoraSeriesResponse> {
    const { interval } = query;
    const timeZone = this.#timeZone;
    const period = this.#period(query);
    const buckets = seriesBuckets(period, interval, timeZone);
    const services = await this.#scope(query);
    const figures = await this.#figures.read(
      services,
      buckets.map(bucket => {
        const elapsed = this.#elapsed(bucket);
        // Splitting is slow, and most buckets have elapsed.
        return elapsed.end === bucket.end
          ? bucket
          : splitPeriod(elapsed, timeZone);
      }),
    );
    const settled =
      this.#options.now() - this.#options.config.dora.incidentWindow;
    return {
      period: toDoraPeriod(period, timeZone),
      interval,
      timeZone,
      points: buckets.map((bucket, index) => {
        const { start, end, startDate, endDate, partial } = bucket;
        const values = metricValues(figures[index]);
        return {
          start: isoOf(start),
          end: isoOf(end),
          ...{ startDate, endDate, partial },
          provisional: end > settled,
          metrics: mapMetrics(metric => {
            const { value, samples } = values[metric];
            return { value: samples === 0 ? null : rounded(value), samples };
          }),
        };
      }),
    };
  }

  /** `GET /breakdown`. @throws InputError for invalid dates. */
  async breakdown(query: BreakdownQuery): Promise<BreakdownResponse> {
    const { by, limit } = query;
    const { period, elapsed, services } = await this.#ask(query);
    const compared = await this.#comparisons.read({
      services,
      by,
      period: elapsed,
      limit,
    });
    return {
      period: toDoraPeriod(period, this.#timeZone),
      by,
      items: compared.parts.map(({ name, title, entityRef, metrics }) => ({
        ...{ name, title, entityRef },
        metrics: mapMetrics(metric => {
          const { previous: _previous, ...shown } = metrics[metric];
          return shown;
        }),
      })),
      truncated: compared.truncated,
    };
  }

  /** `GET /improvements`: among teams, or among the services of one. @throws InputError for invalid dates. */
  async improvements(query: MetricsQuery): Promise<ImprovementsResponse> {
    const { period, elapsed, services } = await this.#ask(query);
    const by = query.team || query.service ? 'service' : 'team';
    const { parts } = await this.#comparisons.read({
      services,
      by,
      period: elapsed,
      limit: PARTS_TO_IMPROVE,
    });
    return {
      period: toDoraPeriod(period, this.#timeZone),
      items: findImprovements(parts, by),
    };
  }

  /**
   * Resolves a query to its period, the elapsed part of it that figures are read for, and its
   * services.
   */
  async #ask(
    query: MetricsQuery,
  ): Promise<{ period: Period; elapsed: Period; services: ServiceIds }> {
    const period = this.#period(query);
    return {
      period,
      elapsed: this.#elapsed(period),
      services: await this.#scope(query),
    };
  }

  #elapsed(period: Period): Period {
    const now = this.#options.now();
    return elapsedPart(period, { timeZone: this.#timeZone, now });
  }

  #period(query: MetricsQuery): Period {
    const now = this.#options.now();
    return parsePeriod(query, { timeZone: this.#timeZone, now });
  }

  async #scope(query: ScopeQuery): Promise<ServiceIds> {
    const services = await this.#scopes.resolve(query);
    await drainScope(this.#options.deriver, services);
    return services;
  }
}

/** Returns the narrowest kind of scope in a query. */
function kindOf(query: ScopeQuery): ScopeKind | undefined {
  return (['service', 'team', 'project'] as const).find(kind => query[kind]);
}

/** Returns whether a query names one team, project or service rather than an intersection. */
function isWhole(query: ScopeQuery): boolean {
  return (
    [query.service, query.team, query.project].filter(Boolean).length === 1
  );
}
