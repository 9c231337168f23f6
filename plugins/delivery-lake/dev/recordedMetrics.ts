import {
  DORA_METRICS,
  type DoraMetricName,
  type DoraMetricsResponse,
  type DoraSeriesResponse,
  type Improvement,
  type ScopeComparison,
  type SeriesInterval,
  type SeriesPoint,
} from '@slipway/plugin-delivery-lake-common';
import { aComparison, noData, someMetrics } from '../src/__testUtils__/metrics';

const DAY_MS = 86_400_000;
const DAYS: Record<SeriesInterval, number> = { day: 1, week: 7, month: 30 };
const POINTS: Record<SeriesInterval, number> = { day: 84, week: 12, month: 12 };

/** Returns a realistic number that is always the same for an index and a seed. */
function wave(index: number, seed: number): number {
  return (
    1 +
    0.45 * Math.sin(index * 1.7 + seed) +
    0.25 * Math.cos(index * 3.1 * seed)
  );
}

const LEVELS: Record<DoraMetricName, number> = {
  deploymentFrequency: 27,
  leadTimeForChanges: 19,
  changeFailureRate: 7,
  timeToRestoreService: 1.6,
  failedDeploymentRecoveryTime: 2.4,
  deploymentReworkRate: 11,
};

/** Returns metrics of the whole lake, with an improvement and a deterioration. */
export function recordedMetrics(): DoraMetricsResponse {
  return someMetrics(
    {
      deploymentFrequency: {
        value: 27.3,
        performance: 'elite',
        trend: 'increasing',
        samples: 117,
        previous: { value: 24.1, samples: 103 },
      },
      changeFailureRate: {
        value: 12.8,
        performance: 'medium',
        trend: 'increasing',
        samples: 117,
        previous: { value: 7.8, samples: 103 },
      },
      timeToRestoreService: {
        value: 34.5,
        performance: 'medium',
        samples: 6,
        trend: 'increasing',
        previous: { value: 20.2, samples: 4 },
      },
      failedDeploymentRecoveryTime: noData('failedDeploymentRecoveryTime'),
      deploymentReworkRate: { performance: 'low', value: 22.4 },
    },
    {
      failures: { linked: 11, guessed: 4 },
      changesWithoutLeadTime: 3,
      openIncidents: 1,
    },
  );
}

/** Returns a series with a gap and a provisional last point. */
export function recordedSeries(interval: SeriesInterval): DoraSeriesResponse {
  const length = DAYS[interval] * DAY_MS;
  const count = POINTS[interval];
  const end = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  const points = Array.from({ length: count }, (_, index): SeriesPoint => {
    const from = end - (count - index) * length;
    const values = DORA_METRICS.map((metric, seed) => {
      const isGap = metric === 'timeToRestoreService' && index % 5 === 3;
      return [
        metric,
        isGap
          ? { value: null, samples: 0 }
          : {
              value: LEVELS[metric] * Math.max(0, wave(index, seed + 1)),
              samples: 10 + index,
            },
      ];
    });
    return {
      start: new Date(from).toISOString(),
      end: new Date(from + length).toISOString(),
      startDate: new Date(from).toISOString().slice(0, 10),
      endDate: new Date(from + length - DAY_MS).toISOString().slice(0, 10),
      partial: index === 0,
      provisional: index === count - 1,
      metrics: Object.fromEntries(values),
    };
  });
  return {
    period: {
      startDate: points[0].startDate,
      endDate: points[count - 1].endDate,
    },
    interval,
    timeZone: 'UTC',
    points,
  };
}

/** Returns a comparison of teams or services. */
export function recordedParts(
  by: 'team' | 'project' | 'service',
): ScopeComparison[] {
  return [
    aComparison(by === 'service' ? 'checkout' : 'payments', {
      deploymentFrequency: { value: 14.2, performance: 'elite' },
      leadTimeForChanges: { value: 5.2, performance: 'elite' },
    }),
    aComparison(by === 'service' ? 'invoices' : 'search', {
      leadTimeForChanges: { value: 310, performance: 'medium' },
      changeFailureRate: { value: 21, performance: 'low' },
    }),
    aComparison(by === 'service' ? 'ledger' : 'identity', {
      timeToRestoreService: noData('timeToRestoreService'),
      failedDeploymentRecoveryTime: noData('failedDeploymentRecoveryTime'),
    }),
    aComparison('a-team-with-a-name-as-long-as-names-may-be-in-the-catalog', {
      deploymentFrequency: { value: 0.7, performance: 'medium' },
    }),
  ];
}

/** Returns two improvements: a low level, and a metric that got worse. */
export function recordedImprovements(): Improvement[] {
  return [
    {
      metric: 'changeFailureRate',
      scope: { by: 'team', name: 'search', title: 'Search' },
      value: 21,
      unit: 'percent',
      performance: 'low',
      trend: 'stable',
      samples: 33,
      reason: 'low-level',
    },
    {
      metric: 'leadTimeForChanges',
      scope: { by: 'service', name: 'checkout', title: 'checkout' },
      value: 61,
      unit: 'hours',
      performance: 'high',
      trend: 'increasing',
      samples: 24,
      reason: 'got-worse',
    },
  ];
}
