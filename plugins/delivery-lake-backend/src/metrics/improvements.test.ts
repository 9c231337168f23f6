import {
  DoraMetric,
  DoraMetricName,
} from '@slipway/plugin-delivery-lake-common';
import { findImprovements, JudgedPart } from './ComparisonReader';
import { mapMetrics } from './doraMetric';

const GOOD: DoraMetric = {
  value: 1,
  unit: 'hours',
  trend: 'stable',
  performance: 'elite',
  samples: 50,
  previous: { value: 1, samples: 50 },
};

function part(
  name: string,
  more: Partial<Record<DoraMetricName, Partial<DoraMetric>>>,
): JudgedPart {
  const metrics = mapMetrics(metric => ({ ...GOOD, ...more[metric] }));
  return { name, title: `The ${name}`, metrics };
}

const found = (...parts: JudgedPart[]) =>
  findImprovements(parts, 'team').map(item => [
    item.scope.name,
    item.metric,
    item.reason,
  ]);

it('names low levels first, those that get worse before the others', () => {
  expect(
    found(
      part('a', { leadTimeForChanges: { performance: 'low' } }),
      part('b', {
        changeFailureRate: { performance: 'medium', trend: 'increasing' },
        deploymentFrequency: { performance: 'low', trend: 'decreasing' },
      }),
      part('c', { leadTimeForChanges: { performance: 'low', samples: 51 } }),
    ),
  ).toEqual([
    ['b', 'deploymentFrequency', 'low-level'],
    ['c', 'leadTimeForChanges', 'low-level'],
    ['a', 'leadTimeForChanges', 'low-level'],
    ['b', 'changeFailureRate', 'got-worse'],
  ]);
});

it('considers which direction is worse, and ignores metrics at the elite level', () => {
  expect(
    found(
      part('a', {
        deploymentFrequency: { performance: 'high', trend: 'increasing' },
        leadTimeForChanges: { performance: 'high', trend: 'decreasing' },
        changeFailureRate: { trend: 'increasing' },
        timeToRestoreService: { performance: 'medium' },
      }),
    ),
  ).toEqual([]);
});

it('ignores metrics with few samples', () => {
  const worse = { performance: 'high', trend: 'increasing' } as const;
  expect(
    found(
      part('a', {
        leadTimeForChanges: { performance: 'low', samples: 4 },
        changeFailureRate: { ...worse, previous: { value: 1, samples: 4 } },
        deploymentReworkRate: { ...worse, previous: { value: 1, samples: 5 } },
      }),
    ),
  ).toEqual([['a', 'deploymentReworkRate', 'got-worse']]);
});

it('names five at most', () => {
  const low = { performance: 'low' } as const;
  const parts = ['a', 'b', 'c'].map(name =>
    part(name, { leadTimeForChanges: low, changeFailureRate: low }),
  );
  expect(findImprovements(parts, 'service')).toHaveLength(5);
});
