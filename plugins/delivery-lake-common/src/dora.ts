/** Direction of a value against the preceding period of equal length: not a judgement. */
export type Trend = 'increasing' | 'stable' | 'decreasing';

/** The contract's words for a level. */
export type Performance = 'elite' | 'high' | 'medium' | 'low';

/** The names under which the API gives metrics. */
export const DORA_METRICS = [
  'deploymentFrequency',
  'leadTimeForChanges',
  'changeFailureRate',
  'timeToRestoreService',
  'failedDeploymentRecoveryTime',
  'deploymentReworkRate',
] as const;

export type DoraMetricName = (typeof DORA_METRICS)[number];

/** A metric over one period. Without samples: value 0, stable, low. */
export interface DoraMetric {
  value: number;
  unit: 'deploys/week' | 'hours' | 'percent';
  trend: Trend;
  performance: Performance;
  /** How many deployments, changes or incidents the value rests on. */
  samples: number;
  /** The same over the preceding period of equal length. */
  previous: { value: number; samples: number };
}

/** Half-open, [start, end); both days inclusive as dates in `timeZone`. */
export interface DoraPeriod {
  /** `YYYY-MM-DD`. */
  startDate: string;
  /** `YYYY-MM-DD`, inclusive. */
  endDate: string;
}

/** Answer of `GET /dora-metrics`. */
export interface DoraMetricsResponse {
  /** The project that was asked for, or `all`. */
  project: string;
  /** The team that was asked for, or `all`. */
  team: string;
  /** The service that was asked for; absent when none was. Beyond the contract. */
  service?: string;
  period: DoraPeriod;
  metrics: {
    deploymentFrequency: DoraMetric;
    leadTimeForChanges: DoraMetric;
    changeFailureRate: DoraMetric;
    timeToRestoreService: DoraMetric;
  };
  /** What the field uses beside the contract's four, and what stands behind the numbers. */
  beyond: {
    failedDeploymentRecoveryTime: DoraMetric;
    deploymentReworkRate: DoraMetric;
    /** How failures were found: by an explicit link or roll-back, or guessed by time. */
    failures: { linked: number; guessed: number };
    /** Changes that reached production and whose commit time is missing or later than that. */
    changesWithoutLeadTime: number;
    /** Incidents of the scope that are open now: no part of the restore time yet. */
    openIncidents: number;
    /** The source of the levels: DORA's table, or a ranking among the lake's own services. */
    levels: 'table' | 'percentile';
    /** IANA name of the zone in which days begin. */
    timeZone: string;
  };
}

/** How a period is cut, at the days of the lake's time zone; weeks are ISO weeks. */
export type SeriesInterval = 'day' | 'week' | 'month';

/** One value of a series; without samples there is nothing to draw. */
export interface SeriesValue {
  value: number | null;
  samples: number;
}

/** One day, week (Monday to Sunday) or month of a series, cut to the period. */
export interface SeriesPoint {
  /** ISO 8601 timestamp, inclusive. */
  start: string;
  /** ISO 8601 timestamp, exclusive. */
  end: string;
  /** First and last day, `YYYY-MM-DD`, inclusive. */
  startDate: string;
  endDate: string;
  /** Less than a whole day, week or month: rates are of the time it covers. */
  partial: boolean;
  /** True when the period is so recent that incidents may still arrive. */
  provisional: boolean;
  metrics: Record<DoraMetricName, SeriesValue>;
}

/** Answer of `GET /dora-series`. */
export interface DoraSeriesResponse {
  period: DoraPeriod;
  interval: SeriesInterval;
  /** IANA name of the zone in which days begin. */
  timeZone: string;
  points: SeriesPoint[];
}

/** A team, project or service with the metrics that rank it. */
export interface ScopeComparison {
  /** What `team`, `project` or `service` takes. */
  name: string;
  title: string;
  entityRef: string | null;
  metrics: Record<
    DoraMetricName,
    Pick<DoraMetric, 'value' | 'unit' | 'performance' | 'trend' | 'samples'>
  >;
}

/** Answer of `GET /breakdown`: the parts of a scope side by side. */
export interface BreakdownResponse {
  period: DoraPeriod;
  by: 'team' | 'project' | 'service';
  items: ScopeComparison[];
  /** More parts than are given. */
  truncated: boolean;
}

/** The metric in which a scope has most to gain. */
export interface Improvement {
  metric: DoraMetricName;
  /** The part of the scope it concerns. */
  scope: { by: 'team' | 'service'; name: string; title: string };
  value: number;
  unit: DoraMetric['unit'];
  performance: Performance;
  trend: Trend;
  samples: number;
  /** Why it is named: its level, or what changed. */
  reason: 'low-level' | 'got-worse';
}

/** Answer of `GET /improvements`, most to gain first. */
export interface ImprovementsResponse {
  period: DoraPeriod;
  items: Improvement[];
}
