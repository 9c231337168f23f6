import type { DimensionName, FieldName, Samples } from '../api/types';

/** How a number is told. */
export type Unit =
  | 'rating'
  | 'score'
  | 'count'
  | 'perWeek'
  | 'days'
  | 'hours'
  | 'share'
  | 'index';

/** How a number is read, compared and drawn. */
export interface Field {
  unit: Unit;
  /** Which sample it rests on: with none there is no number. */
  sample: string;
  /** `neither`: more is neither good nor bad, it is only more. */
  better: 'higher' | 'lower' | 'neither';
  chart: 'bar' | 'line';
  /** Steps of its scale where that has ends of its own. */
  ticks?: readonly number[];
}

/** Said of what people are, and of nothing that they did: nobody's count is a merit. */
const counted = {
  unit: 'count',
  sample: 'people',
  better: 'neither',
  chart: 'bar',
} as const;

/** By name. */
export const FIELD: Record<FieldName, Field> = {
  avg_rating: {
    unit: 'rating',
    sample: 'responses',
    better: 'higher',
    chart: 'line',
    ticks: [1, 2, 3, 4, 5],
  },
  enps_score: {
    unit: 'score',
    sample: 'responses',
    better: 'higher',
    chart: 'line',
    ticks: [-100, -50, 0, 50, 100],
  },
  response_count: { ...counted },
  deployment_frequency: {
    unit: 'perWeek',
    sample: 'deployments',
    better: 'higher',
    chart: 'bar',
  },
  lead_time_hours: {
    unit: 'hours',
    sample: 'changes',
    better: 'lower',
    chart: 'line',
  },
  build_success_rate: {
    unit: 'share',
    sample: 'builds',
    better: 'higher',
    chart: 'line',
    ticks: [0, 0.25, 0.5, 0.75, 1],
  },
  commits_per_week: { ...counted, unit: 'perWeek' },
  prs_merged: counted,
  active_days: { ...counted, unit: 'days' },
  pr_comments: counted,
  docs_updates: counted,
  chat_messages: { ...counted, sample: 'chat_people' },
  time_to_first_commit_hours: {
    unit: 'hours',
    sample: 'joiners',
    better: 'lower',
    chart: 'line',
  },
  time_to_production_hours: {
    unit: 'hours',
    sample: 'changes',
    better: 'lower',
    chart: 'line',
  },
  cognitive_load_index: {
    unit: 'index',
    sample: 'assessments',
    better: 'lower',
    chart: 'line',
    ticks: [0, 25, 50, 75, 100],
  },
};

/** Dimensions of which more is not said to be better. */
export const UNJUDGED: readonly DimensionName[] = ['activity', 'communication'];

/** What there is to show of a field. */
export type Shown =
  | { state: 'value'; value: number; samples: number }
  /** Nothing was measured, which is not 0. */
  | { state: 'none' }
  /** Too few people stand behind it. */
  | { state: 'hidden'; samples: number };

/** Tells a value from one that is hidden and from nothing. */
export function shownOf(
  name: FieldName,
  reading: {
    values: Partial<Record<FieldName, number | null>>;
    samples: Samples;
  },
): Shown {
  const samples = reading.samples[FIELD[name].sample] ?? 0;
  const value = reading.values[name];
  if (samples === 0) {
    return { state: 'none' };
  }
  return typeof value === 'number'
    ? { state: 'value', value, samples }
    : { state: 'hidden', samples };
}
