import { mockServices } from '@backstage/backend-test-utils';
import { DoraMetricName } from '@slipway/plugin-delivery-lake-common';
import { readDeliveryLakeConfig } from '../config';
import {
  mapMetrics,
  percentileLevels,
  tableLevels,
  trendOf,
} from './doraMetric';

const { dora } = readDeliveryLakeConfig(mockServices.rootConfig());
const of = (value: number, samples = 1) => ({ value, samples });

describe('trendOf', () => {
  it.each([
    [11, 10, 'stable'],
    [11.01, 10, 'increasing'],
    [9, 10, 'stable'],
    [8.99, 10, 'decreasing'],
    [0.33, 0.3, 'stable'],
    [1.1 * 0.7, 0.7, 'stable'],
    [1, 0, 'increasing'],
    [0, 1, 'decreasing'],
    [0, 0, 'stable'],
  ])('of %d after %d is %s', (current, previous, trend) => {
    expect(trendOf(of(current), of(previous))).toBe(trend);
  });

  it('is stable without samples in either', () => {
    expect(trendOf(of(5), of(0, 0))).toBe('stable');
    expect(trendOf(of(0, 0), of(5))).toBe('stable');
  });
});

describe('tableLevels', () => {
  const levelOf = tableLevels(dora.thresholds);

  it.each<[DoraMetricName, number, string]>([
    ['deploymentFrequency', 7, 'elite'],
    ['deploymentFrequency', 6.99, 'high'],
    ['deploymentFrequency', 1, 'high'],
    ['deploymentFrequency', 7 / 30, 'medium'],
    ['deploymentFrequency', 0.23, 'low'],
    ['leadTimeForChanges', 23.99, 'elite'],
    ['leadTimeForChanges', 24, 'high'],
    ['leadTimeForChanges', 168, 'medium'],
    ['leadTimeForChanges', 720, 'low'],
    ['changeFailureRate', 5, 'elite'],
    ['changeFailureRate', 10, 'high'],
    ['changeFailureRate', 15, 'medium'],
    ['deploymentReworkRate', 15.01, 'low'],
    ['timeToRestoreService', 0.99, 'elite'],
    ['timeToRestoreService', 1, 'high'],
    ['failedDeploymentRecoveryTime', 24, 'medium'],
    ['failedDeploymentRecoveryTime', 168, 'low'],
  ])('finds %s of %d %s', (metric, value, level) => {
    expect(levelOf(metric, of(value))).toBe(level);
  });

  it('is low without samples', () => {
    expect(levelOf('changeFailureRate', of(0, 0))).toBe('low');
  });
});

describe('percentileLevels', () => {
  const levels = (values: number[], included = true) =>
    percentileLevels({
      peers: mapMetrics(() => values),
      included,
      fallback: () => 'medium',
    });

  it('ranks among peers by the percentile bands of the contract', () => {
    const values = Array.from({ length: 11 }, (_, index) => index);
    const levelOf = levels(values);
    expect(
      values.map(value => levelOf('deploymentFrequency', of(value))),
    ).toEqual([
      ...Array(3).fill('low'),
      ...Array(3).fill('medium'),
      ...Array(3).fill('high'),
      ...Array(2).fill('elite'),
    ]);
    expect(levelOf('changeFailureRate', of(0))).toBe('elite');
    expect(levelOf('changeFailureRate', of(10))).toBe('low');
  });

  it('ranks equal values in the middle', () => {
    expect(levels([3, 3, 3])('changeFailureRate', of(3))).toBe('medium');
    // The value is not one of the peers: it beats the two that are worse, and half of the equal
    // one.
    expect(levels([1, 2, 3], false)('leadTimeForChanges', of(1))).toBe('high');
  });

  it('uses the table if there are no peers', () => {
    expect(levels([3])('changeFailureRate', of(3))).toBe('medium');
    expect(levels([3])('changeFailureRate', of(0, 0))).toBe('low');
  });
});
