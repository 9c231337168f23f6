import type { Measure } from '../ledger/Contribution.ts';
import type { LocalDay } from '../periods/LocalDay.ts';
import { elapsedPart, weeksOf } from '../periods/Period.ts';
import {
  readPeriods,
  type Dimension,
  type DimensionQuery,
  type DimensionReadings,
  type Field,
  type Reading,
} from './Dimension.ts';
import type { Crowd } from './MetricsStore.ts';
import { ratio } from './numbers.ts';
import type { Released, ReleasedReader } from './ReleasedReader.ts';

const MEASURES: readonly Measure[] = [
  'activity.commits',
  'activity.prs_merged',
];

const MORE = {
  sample: 'people',
  better: 'higher',
  deadBand: { share: 0.1 },
} as const;

/** What happens in repositories. Never to be read alone. */
export class ActivityDimension implements Dimension {
  readonly name = 'activity';
  readonly fields: readonly Field[] = [
    { name: 'commits_per_week', ...MORE, sample: 'commits' },
    { name: 'prs_merged', ...MORE, sample: 'prs_merged' },
    { name: 'active_days', ...MORE },
  ];
  readonly #reader: ReleasedReader;
  readonly #today: () => LocalDay;

  /** @param options.today - days after it have not happened and count for no rate. */
  constructor(options: { reader: ReleasedReader; today: () => LocalDay }) {
    this.#reader = options.reader;
    this.#today = options.today;
  }

  read(query: DimensionQuery): Promise<DimensionReadings> {
    return readPeriods(query, async periods => {
      const { team } = query;
      const released = await this.#reader.read('activity', {
        team,
        periods,
        measures: MEASURES,
      });
      const isHiding = released.some(({ suppressed }) => suppressed);
      const [crowds, everybody] = await Promise.all([
        this.#reader.shownCrowds('activity', released),
        isHiding && this.#reader.people('activity', { team, periods }),
      ]);
      const people = everybody || crowds.map(crowd => crowd.people);
      return released.map((each, index) =>
        describe(each, {
          crowd: crowds[index],
          people: people[index],
          today: this.#today(),
        }),
      );
    });
  }
}

function describe(
  { period, shown, suppressed }: Released,
  options: { crowd: Crowd; people: number; today: LocalDay },
): Reading {
  const { crowd, people, today } = options;
  if (!shown) {
    return {
      values: { commits_per_week: null, prs_merged: null, active_days: null },
      samples: { people, commits: 0, prs_merged: 0 },
      suppressed,
    };
  }
  const commits = shown['activity.commits'] ?? 0;
  const merged = shown['activity.prs_merged'] ?? 0;
  return {
    values: {
      commits_per_week: ratio(commits, weeksOf(elapsedPart(period, today))),
      prs_merged: merged,
      active_days: ratio(crowd.personDays, crowd.people),
    },
    samples: { people, commits, prs_merged: merged },
    suppressed,
  };
}
