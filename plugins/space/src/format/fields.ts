import type {
  DimensionName,
  DimensionReport,
  FieldName,
  Samples,
  Values,
} from '../api/SpaceApi';
import { FIELDS } from '../api/answers';

/** The unit of a number. */
export type Unit =
  | 'rating'
  | 'score'
  | 'count'
  | 'perWeek'
  | 'days'
  | 'hours'
  | 'share'
  | 'index';

/** The kind of samples behind a number. */
export type Basis =
  | 'responses'
  | 'people'
  | 'deployments'
  | 'changes'
  | 'builds'
  | 'joiners'
  | 'assessments';

/** Rules for formatting, comparing and drawing a number. */
export interface Field {
  unit: Unit;
  /** The kinds of samples behind the number; without any samples there is no number. */
  samples: readonly string[];
  /** Description of samples; omitted if the number is itself a count of them. */
  basis?: Basis;
  /** The better direction; `neither` if a higher value is neither good nor bad. */
  better: 'higher' | 'lower' | 'neither';
  chart: 'bar' | 'line';
  /** True for totals, which are compared per week that they cover. */
  isTotal?: boolean;
  /** Tick values, if it has a fixed scale. */
  ticks?: readonly number[];
}

/**
 * The properties of counts of people's activity. They are not judged: a higher count is not better.
 */
const counted = {
  unit: 'count',
  samples: ['people'],
  basis: 'people',
  better: 'neither',
  chart: 'bar',
} as const;

/** The properties of counts that are sums over the whole period. */
const total = { ...counted, isTotal: true } as const;

/**
 * The properties of collaboration counts. If there are only comments, there were 0 documentation
 * updates, because the code forge reports both.
 */
const collaboration = {
  unit: 'count',
  samples: ['pr_comments', 'docs_updates'],
  better: 'neither',
  chart: 'bar',
  isTotal: true,
} as const;

/** The properties of a field that is a mean of answers from 1 to 5. */
const rating: Field = {
  unit: 'rating',
  samples: ['responses'],
  basis: 'responses',
  better: 'higher',
  chart: 'line',
  ticks: [1, 2, 3, 4, 5],
};

/** Fields by name. */
export const FIELD: Record<FieldName, Field> = {
  avg_rating: rating,
  avg_productivity: rating,
  enps_score: {
    unit: 'score',
    samples: ['responses'],
    basis: 'responses',
    better: 'higher',
    chart: 'line',
    ticks: [-100, -50, 0, 50, 100],
  },
  response_count: { ...counted },
  deployment_frequency: {
    unit: 'perWeek',
    samples: ['deployments'],
    basis: 'deployments',
    better: 'higher',
    chart: 'bar',
  },
  lead_time_hours: {
    unit: 'hours',
    samples: ['changes'],
    basis: 'changes',
    better: 'lower',
    chart: 'line',
  },
  build_success_rate: {
    unit: 'share',
    samples: ['builds'],
    basis: 'builds',
    better: 'higher',
    chart: 'line',
    ticks: [0, 0.25, 0.5, 0.75, 1],
  },
  commits_per_week: { ...counted, unit: 'perWeek' },
  prs_merged: total,
  active_days: { ...total, unit: 'days' },
  pr_comments: collaboration,
  docs_updates: collaboration,
  chat_messages: { ...collaboration, samples: ['chat_messages'] },
  time_to_first_commit_hours: {
    unit: 'hours',
    samples: ['joiners'],
    basis: 'joiners',
    better: 'lower',
    chart: 'line',
  },
  time_to_production_hours: {
    unit: 'hours',
    samples: ['changes'],
    basis: 'changes',
    better: 'lower',
    chart: 'line',
  },
  cognitive_load_index: {
    unit: 'index',
    samples: ['assessments'],
    basis: 'assessments',
    better: 'lower',
    chart: 'line',
    ticks: [0, 25, 50, 75, 100],
  },
};

/** Dimensions in which higher values are not better. */
export const UNJUDGED: readonly DimensionName[] = ['activity', 'communication'];

/** The displayable state of a field. */
export type Shown =
  | { state: 'value'; value: number; samples: number }
  /** Nothing was measured, which is different from 0. */
  | { state: 'none' }
  /** It has too few people. */
  | { state: 'hidden' };

/** Distinguishes a value from a hidden and a missing one. */
export function shownOf(
  name: FieldName,
  reading: { values: Values; samples: Samples },
): Shown {
  const value = reading.values[name];
  if (value === null) {
    return { state: 'hidden' };
  }
  const samples = FIELD[name].samples.reduce(
    (sum, sample) => sum + (reading.samples[sample] ?? 0),
    0,
  );
  return value === undefined || samples === 0
    ? { state: 'none' }
    : { state: 'value', value, samples };
}

/** Returns whether there is a value to which a trend applies. */
export function hasTrend(report: DimensionReport): boolean {
  const { dimension } = report;
  return FIELDS[dimension].some(
    name =>
      shownOf(name, report).state === 'value' &&
      (UNJUDGED.includes(dimension) || FIELD[name].better !== 'neither'),
  );
}
