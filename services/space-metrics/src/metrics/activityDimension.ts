import type { Measure } from '../records/Contribution.ts';
import {
  type Dimension,
  type Field,
  type Reading,
  ratio,
} from './Dimension.ts';
import type { Numbers, Sums } from './Numbers.ts';

const MEASURES: readonly Measure[] = [
  'activity.commits',
  'activity.prs_merged',
];

const MORE = {
  sample: 'people',
  better: 'higher',
  scale: 'ratio',
} as const;

const FIELDS: readonly Field[] = [
  { name: 'commits_per_week', ...MORE, sample: 'commits' },
  { name: 'prs_merged', ...MORE, sample: 'prs_merged', isTotal: true },
  { name: 'active_days', ...MORE, isTotal: true },
];

/** Describes activity in repositories, which must never be interpreted in isolation. */
export function activityDimension(numbers: Numbers): Dimension {
  return {
    name: 'activity',
    fields: FIELDS,
    async read({ team }, periods) {
      const sums = await numbers.read('activity', {
        team,
        periods,
        measures: MEASURES,
        crowd: 'days',
      });
      return sums.map((each, index) =>
        describe(each, numbers.weeks(periods[index])),
      );
    },
  };
}

function describe(
  { totals, people, personDays }: Sums,
  weeks: number,
): Reading {
  if (!totals) {
    return {
      values: { commits_per_week: null, prs_merged: null, active_days: null },
      samples: { people: 0, commits: 0, prs_merged: 0 },
      suppressed: true,
    };
  }
  const commits = totals['activity.commits'] ?? 0;
  const merged = totals['activity.prs_merged'] ?? 0;
  return {
    values: {
      commits_per_week: ratio(commits, weeks),
      prs_merged: merged,
      active_days: ratio(personDays, people),
    },
    samples: { people, commits, prs_merged: merged },
    suppressed: false,
  };
}
