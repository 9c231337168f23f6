import type { Measure } from '../records/Contribution.ts';
import {
  type Dimension,
  type DimensionQuery,
  type DimensionReadings,
  type Field,
  type Reading,
  ratio,
  readPeriods,
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

/** Activity in repositories. Never to be interpreted on its own. */
export class ActivityDimension implements Dimension {
  readonly name = 'activity';
  readonly fields: readonly Field[] = [
    { name: 'commits_per_week', ...MORE, sample: 'commits' },
    { name: 'prs_merged', ...MORE, sample: 'prs_merged' },
    { name: 'active_days', ...MORE },
  ];
  readonly #numbers: Numbers;

  constructor(numbers: Numbers) {
    this.#numbers = numbers;
  }

  read(query: DimensionQuery): Promise<DimensionReadings> {
    return readPeriods(query, async periods => {
      const sums = await this.#numbers.read('activity', {
        team: query.team,
        periods,
        measures: MEASURES,
        crowd: 'days',
      });
      return sums.map((each, index) =>
        describe(each, this.#numbers.weeks(periods[index])),
      );
    });
  }
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
