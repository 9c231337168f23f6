import {
  DORA_METRICS,
  type DoraMetric,
  type DoraMetricName,
  type DoraMetricsResponse,
  type DoraSeriesResponse,
  METRIC_UNIT,
  type ScopeComparison,
  type SeriesPoint,
} from '@slipway/plugin-delivery-lake-common';

/** Values of a well-performing team, in the units of the API. */
const USUAL: Record<DoraMetricName, number> = {
  deploymentFrequency: 9.3,
  leadTimeForChanges: 19.4,
  changeFailureRate: 7.5,
  timeToRestoreService: 1.7,
  failedDeploymentRecoveryTime: 2.2,
  deploymentReworkRate: 12.5,
};

/** Creates a metric with 40 samples and little change, with overrides. */
export function aMetric(
  name: DoraMetricName,
  different: Partial<DoraMetric> = {},
): DoraMetric {
  const { value = USUAL[name] } = different;
  return {
    value,
    unit: METRIC_UNIT[name],
    trend: 'stable',
    performance: 'high',
    samples: 40,
    previous: { value, samples: 38 },
    ...different,
  };
}

/** Creates a metric without samples. */
export function noData(name: DoraMetricName): DoraMetric {
  return aMetric(name, {
    value: 0,
    samples: 0,
    performance: 'low',
    previous: { value: 0, samples: 0 },
  });
}

/** Creates the metrics of 30 days in November, with overrides. */
export function someMetrics(
  different: Partial<Record<DoraMetricName, Partial<DoraMetric>>> = {},
  beyond: Partial<DoraMetricsResponse['beyond']> = {},
): DoraMetricsResponse {
  const metric = (name: DoraMetricName) => aMetric(name, different[name]);
  return {
    project: 'all',
    team: 'all',
    period: { startDate: '2026-10-23', endDate: '2026-11-21' },
    metrics: {
      deploymentFrequency: metric('deploymentFrequency'),
      leadTimeForChanges: metric('leadTimeForChanges'),
      changeFailureRate: metric('changeFailureRate'),
      timeToRestoreService: metric('timeToRestoreService'),
    },
    beyond: {
      failedDeploymentRecoveryTime: metric('failedDeploymentRecoveryTime'),
      deploymentReworkRate: metric('deploymentReworkRate'),
      failures: { linked: 2, guessed: 0 },
      changesWithoutLeadTime: 0,
      openIncidents: 0,
      levels: 'table',
      timeZone: 'UTC',
      ...beyond,
    },
  };
}

/** Creates one week of a series. */
export function aPoint(
  startDate: string,
  endDate: string,
  different: Partial<SeriesPoint> = {},
): SeriesPoint {
  const values = DORA_METRICS.map(name => [
    name,
    { value: USUAL[name], samples: 10 },
  ]);
  return {
    start: `${startDate}T00:00:00.000Z`,
    end: `${endDate}T24:00:00.000Z`,
    startDate,
    endDate,
    partial: false,
    provisional: false,
    metrics: Object.fromEntries(values),
    ...different,
  };
}

/** Creates a series of two weeks in November. */
export function someSeries(
  different: Partial<DoraSeriesResponse> = {},
): DoraSeriesResponse {
  return {
    period: { startDate: '2026-11-02', endDate: '2026-11-15' },
    interval: 'week',
    timeZone: 'UTC',
    points: [
      aPoint('2026-11-02', '2026-11-08'),
      aPoint('2026-11-09', '2026-11-15'),
    ],
    ...different,
  };
}

/** Creates a team or service for comparisons. */
export function aComparison(
  name: string,
  different: Partial<Record<DoraMetricName, Partial<DoraMetric>>> = {},
): ScopeComparison {
  const values = DORA_METRICS.map(metric => [
    metric,
    aMetric(metric, different[metric]),
  ]);
  return {
    name,
    title: name,
    entityRef: `group:default/${name}`,
    metrics: Object.fromEntries(values),
  };
}
