import type {
  AssessmentForm,
  DimensionName,
  DimensionReport,
  Reading,
  Reminder,
  Samples,
  TopFriction,
  Values,
} from '../api/SpaceApi';
import { FIELDS } from '../api/answers';

const VALUES: Values = {
  avg_rating: 4.1,
  avg_productivity: 3.4,
  enps_score: 12,
  response_count: 9,
  deployment_frequency: 3.4,
  lead_time_hours: 19.4,
  build_success_rate: 0.934,
  commits_per_week: 41.2,
  prs_merged: 38,
  active_days: 8.3,
  pr_comments: 120,
  docs_updates: 7,
  chat_messages: 1204,
  time_to_first_commit_hours: 30,
  time_to_production_hours: 52,
  cognitive_load_index: 46.5,
};

const SAMPLES: Record<DimensionName, Samples> = {
  satisfaction: { responses: 9, people: 8 },
  performance: { deployments: 14, changes: 40, builds: 211 },
  activity: { people: 8, commits: 165, prs_merged: 38 },
  communication: {
    pr_comments: 120,
    docs_updates: 7,
    chat_messages: 1204,
  },
  efficiency: { assessments: 6, people: 5, joiners: 1, changes: 40 },
};

/** Creates the report of a dimension over two weeks, with a value for every field. */
export function aReport(
  dimension: DimensionName,
  different: Partial<DimensionReport> = {},
): DimensionReport {
  const values: Values = Object.fromEntries(
    FIELDS[dimension].map(field => [field, VALUES[field]]),
  );
  const samples = SAMPLES[dimension];
  const week = (startDate: string, endDate: string): Reading => ({
    startDate,
    endDate,
    values,
    samples,
  });
  return {
    dimension,
    startDate: '2026-11-02',
    endDate: '2026-11-15',
    values,
    samples,
    trend: 'improving',
    series: [
      week('2026-11-02', '2026-11-08'),
      week('2026-11-09', '2026-11-15'),
    ],
    ...(dimension === 'satisfaction' && {
      stances: { promoters: 4, passives: 2, detractors: 3 },
    }),
    suppressed: false,
    minimumGroupSize: 5,
    weeks: { current: 2, previous: 2 },
    stale: false,
    ...different,
  };
}

/** Creates the report of a dimension for which nothing was measured. */
export function anEmptyReport(dimension: DimensionName): DimensionReport {
  const none = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.keys(record).map(key => [key, 0]));
  const { values, samples } = aReport(dimension);
  return aReport(dimension, {
    values: none(values),
    samples: none(samples),
    trend: 'stable',
    series: [],
    stances: undefined,
  });
}

/** Creates the report of a group that is too small: with counts, but without values. */
export function aHiddenReport(dimension: DimensionName): DimensionReport {
  const { values, series, samples } = aReport(dimension);
  const hidden = Object.fromEntries(
    Object.keys(values).map(field => [field, null]),
  );
  return aReport(dimension, {
    values: {
      ...hidden,
      ...('response_count' in hidden && { response_count: 3 }),
    },
    samples: { ...samples, responses: 3, people: 3 },
    trend: 'stable',
    series: series.map(part => ({ ...part, values: hidden })),
    stances: undefined,
    suppressed: true,
  });
}

/** Creates friction of two categories that are shown, and one that is hidden. */
export function someFriction(
  different: Partial<TopFriction> = {},
): TopFriction {
  return {
    minimumGroupSize: 2,
    items: [
      {
        category: 'build',
        entries: 9,
        reporters: 6,
        minutesLost: 540,
        texts: ['The cache of the build was empty all morning'],
      },
      {
        category: 'vpn',
        entries: 2,
        reporters: 2,
        minutesLost: 60,
        texts: ['It hangs at noon'],
      },
    ],
    ...different,
  };
}

/** Creates the state of a survey that is due. */
export function aReminder(different: Partial<Reminder> = {}): Reminder {
  return {
    due: true,
    dueAt: '2026-11-20T10:00:00.000Z',
    lastAnsweredAt: '2026-11-06T10:00:00.000Z',
    snoozedUntil: null,
    optedOut: false,
    cadenceDays: 14,
    closesAt: '2026-11-30T00:00:00.000Z',
    ...different,
  };
}

/** The form of an assessment with two scales, as the service sends it. */
export const assessmentForm: AssessmentForm = {
  title: 'Cognitive load of a task',
  instructions:
    'Think of one task that you finished lately and mark each scale where it felt. Mind the scale of performance: it runs from perfect, 0, to failure, 100.',
  scale: { min: 0, max: 100, step: 5 },
  dimensions: [
    {
      id: 'mental_demand',
      label: 'Mental demand',
      question: 'How much thinking did the task take?',
      low_label: 'Very low',
      high_label: 'Very high',
    },
    {
      id: 'performance',
      label: 'Performance',
      question: 'How well did you do what you set out to do?',
      low_label: 'Perfect',
      high_label: 'Failure',
    },
  ],
};
