import type { DoraMetric } from '@slipway/plugin-delivery-lake-common';
import { createTestTranslate } from '../__testUtils__/createTestTranslate';
import { describeChange, formatMetric } from './metricValue';

const t = createTestTranslate();

function aMetric(different: Partial<DoraMetric>): DoraMetric {
  return {
    value: 6,
    unit: 'hours',
    trend: 'stable',
    performance: 'high',
    samples: 10,
    previous: { value: 6, samples: 9 },
    ...different,
  };
}

describe('formatMetric', () => {
  it.each([
    ['deploymentFrequency', 21, '3 per day'],
    ['deploymentFrequency', 3.24, '3.2 per week'],
    ['deploymentFrequency', 0.35, '1.5 per month'],
    ['leadTimeForChanges', 5.2, '5 h 12 min'],
    ['timeToRestoreService', 0.25, '15 min'],
    ['changeFailureRate', 4.14, '4.1%'],
    ['changeFailureRate', 0, '0%'],
    ['deploymentReworkRate', null, 'No data'],
  ] as const)('writes %s of %s as %s', (metric, value, expected) => {
    expect(formatMetric(t, metric, value)).toBe(expected);
  });
});

describe('describeChange', () => {
  it.each([
    [
      'deploymentFrequency',
      { trend: 'increasing', value: 9 },
      '50% more than in the previous 30 days (better)',
      'better',
    ],
    [
      'changeFailureRate',
      { trend: 'increasing', value: 9 },
      '50% higher than in the previous 30 days (worse)',
      'worse',
    ],
    [
      'leadTimeForChanges',
      { trend: 'decreasing', value: 3 },
      '50% shorter than in the previous 30 days (better)',
      'better',
    ],
    [
      'leadTimeForChanges',
      { trend: 'stable', value: 6.2 },
      'About the same as in the previous 30 days',
      'neutral',
    ],
    [
      'timeToRestoreService',
      { trend: 'stable', previous: { value: 0, samples: 0 } },
      'No data for the previous 30 days',
      'neutral',
    ],
    [
      'changeFailureRate',
      { trend: 'increasing', previous: { value: 0, samples: 9 } },
      'Up from zero in the previous 30 days (worse)',
      'worse',
    ],
  ] as const)('judges %s %j', (name, different, text, judgement) => {
    const change = describeChange(t, name, aMetric(different), 30);
    expect(change).toMatchObject({ text, judgement });
  });

  it('is empty without a value', () => {
    const nothing = aMetric({ samples: 0, value: 0 });
    expect(
      describeChange(t, 'leadTimeForChanges', nothing, 30),
    ).toBeUndefined();
  });
});

it('separates the thousands of a count', () => {
  expect(t('samples.leadTimeForChanges', { count: 1_093 })).toBe(
    '1,093 changes',
  );
});
