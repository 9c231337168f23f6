/** Direction of a value compared with the preceding period of equal length; not a judgement. */
export type Trend = 'increasing' | 'stable' | 'decreasing';

/** The contract's performance levels. */
export type Performance = 'elite' | 'high' | 'medium' | 'low';

/** DORA's four keys: the contract's metrics, and the main ones of pages and cards. */
export const FOUR_KEYS = [
  'deploymentFrequency',
  'leadTimeForChanges',
  'changeFailureRate',
  'timeToRestoreService',
] as const;

/** The names of metrics in the API. */
export const DORA_METRICS = [
  ...FOUR_KEYS,
  'failedDeploymentRecoveryTime',
  'deploymentReworkRate',
] as const;

export type DoraMetricName = (typeof DORA_METRICS)[number];

/** The unit of each metric. */
export const METRIC_UNIT = {
  deploymentFrequency: 'deploys/week',
  leadTimeForChanges: 'hours',
  changeFailureRate: 'percent',
  timeToRestoreService: 'hours',
  failedDeploymentRecoveryTime: 'hours',
  deploymentReworkRate: 'percent',
} as const satisfies Record<DoraMetricName, DoraMetric['unit']>;

/** Returns whether a higher value of a metric is better. */
export function moreIsBetter(metric: DoraMetricName): boolean {
  return metric === 'deploymentFrequency';
}

/** A metric over one period. Without samples: value 0, stable, low. */
export interface DoraMetric {
  value: number;
  unit: 'deploys/week' | 'hours' | 'percent';
  trend: Trend;
  performance: Performance;
  /** The number of deployments, changes or incidents that the value is based on. */
  samples: number;
  /** The value for the preceding period of equal length. */
  previous: { value: number; samples: number };
}

/** A half-open period, [start, end), also as dates in `timeZone`, both inclusive. */
export interface DoraPeriod {
  /** `YYYY-MM-DD`. */
  startDate: string;
  /** `YYYY-MM-DD`, inclusive. */
  endDate: string;
}

/** Response of `GET /dora-metrics`. */
export interface DoraMetricsResponse {
  /** The requested project, or `all`. */
  project: string;
  /** The requested team, or `all`. */
  team: string;
  /** The requested service; absent if none was requested. Beyond the contract. */
  service?: string;
  period: DoraPeriod;
  metrics: {
    deploymentFrequency: DoraMetric;
    leadTimeForChanges: DoraMetric;
    changeFailureRate: DoraMetric;
    timeToRestoreService: DoraMetric;
  };
  /**
   * Common metrics in addition to the contract's four, and facts about the data they are based on.
   */
  beyond: {
    failedDeploymentRecoveryTime: DoraMetric;
    deploymentReworkRate: DoraMetric;
    /**
     * Numbers of failures by evidence: an explicit link or rollback, or a guess based on time.
     */
    failures: { linked: number; guessed: number };
    /**
     * Number of changes in production whose commit time is missing or later than the deployment.
     */
    changesWithoutLeadTime: number;
    /** Number of open incidents in the scope, which are not yet part of the restore time. */
    openIncidents: number;
    /** The source of the levels: DORA's table, or a ranking among the lake's own services. */
    levels: 'table' | 'percentile';
    /** IANA name of the time zone of days. */
    timeZone: string;
  };
}

/** The interval of a series, based on days of the lake's time zone; weeks are ISO weeks. */
export type SeriesInterval = 'day' | 'week' | 'month';

/** One value of a series, which is not drawn if it has no samples. */
export interface SeriesValue {
  value: number | null;
  samples: number;
}

/** One day, week (Monday to Sunday) or month of a series, clipped to the period. */
export interface SeriesPoint {
  /** ISO 8601 timestamp, inclusive. */
  start: string;
  /** ISO 8601 timestamp, exclusive. */
  end: string;
  /** First and last day, `YYYY-MM-DD`, inclusive. */
  startDate: string;
  endDate: string;
  /** True if it is less than a whole day, week or month; rates refer to the time covered. */
  partial: boolean;
  /** True if the period is so recent that incidents may still arrive. */
  provisional: boolean;
  metrics: Record<DoraMetricName, SeriesValue>;
}

/** Response of `GET /dora-series`. */
export interface DoraSeriesResponse {
  period: DoraPeriod;
  interval: SeriesInterval;
  /** IANA name of the time zone of days. */
  timeZone: string;
  points: SeriesPoint[];
}

/** A team, project or service with the metrics by which it is compared. */
export interface ScopeComparison {
  /** Value for the `team`, `project` or `service` parameter. */
  name: string;
  title: string;
  entityRef: string | null;
  metrics: Record<
    DoraMetricName,
    Pick<DoraMetric, 'value' | 'unit' | 'performance' | 'trend' | 'samples'>
  >;
}

/** Response of `GET /breakdown`: a comparison of the parts of a scope. */
export interface BreakdownResponse {
  period: DoraPeriod;
  by: 'team' | 'project' | 'service';
  items: ScopeComparison[];
  /** True if not all parts are included. */
  truncated: boolean;
}

/** A metric that a scope can improve. */
export interface Improvement {
  metric: DoraMetricName;
  /** The part of the scope that it concerns. */
  scope: { by: 'team' | 'service'; name: string; title: string };
  value: number;
  unit: DoraMetric['unit'];
  performance: Performance;
  trend: Trend;
  samples: number;
  /** Reason for its inclusion: its level, or its change. */
  reason: 'low-level' | 'got-worse';
}

/** Response of `GET /improvements`, the largest potential first. */
export interface ImprovementsResponse {
  period: DoraPeriod;
  items: Improvement[];
}
