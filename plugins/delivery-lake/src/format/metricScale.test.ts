import { createTestTranslate } from '../__testUtils__/createTestTranslate';
import { metricScale } from './metricValue';

const t = createTestTranslate();

describe('metricScale', () => {
  it.each([
    ['leadTimeForChanges', 60, ['0 d', '1 d', '2 d', '3 d']],
    ['leadTimeForChanges', 6, ['0 h', '2 h', '4 h', '6 h']],
    ['timeToRestoreService', 0.5, ['0 min', '10 min', '20 min', '30 min']],
    ['changeFailureRate', 0.12, ['0.00%', '0.05%', '0.10%', '0.15%']],
    [
      'deploymentFrequency',
      0.03,
      ['0.00 per month', '0.05 per month', '0.10 per month', '0.15 per month'],
    ],
    ['changeFailureRate', 12, ['0%', '5%', '10%', '15%']],
    [
      'deploymentFrequency',
      21,
      ['0 per day', '1 per day', '2 per day', '3 per day'],
    ],
    [
      'deploymentFrequency',
      4,
      ['0 per week', '1 per week', '2 per week', '3 per week', '4 per week'],
    ],
  ] as const)('of %s up to %d is %j', (metric, max, expected) => {
    const { ticks, formatTick } = metricScale(t, metric, max);
    expect(ticks.map(formatTick)).toEqual(expected);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
  });
});
