import {
  type DimensionName,
  type DimensionReport,
  DIMENSIONS,
  type FieldName,
  type Reading,
  type Reminder,
  type Samples,
  type TopFriction,
  type Trend,
  type Values,
} from './SpaceApi';

/** Response of `GET /api/v1/friction-log/top`. */
export interface FrictionAnswer {
  minimum_group_size: number;
  items: {
    category: string;
    entries: number;
    reporters: number;
    time_lost_minutes: number;
    texts: { description: string }[];
  }[];
}

/** Response of `/api/v1/surveys/pulse/reminder`. */
export interface ReminderAnswer {
  due: boolean;
  due_at: string | null;
  last_answered_at: string | null;
  snoozed_until: string | null;
  opted_out: boolean;
  cadence_days: number;
  /** Missing from responses of earlier versions. */
  closes_at?: string;
}

export function readFriction(answer: FrictionAnswer): TopFriction {
  return {
    minimumGroupSize: answer.minimum_group_size,
    items: answer.items.map(
      ({ time_lost_minutes: minutesLost, texts, ...item }) => ({
        ...item,
        minutesLost,
        texts: texts.map(({ description }) => description),
      }),
    ),
  };
}

export function readReminder(answer: ReminderAnswer): Reminder {
  return {
    due: answer.due,
    dueAt: answer.due_at,
    lastAnsweredAt: answer.last_answered_at,
    snoozedUntil: answer.snoozed_until,
    optedOut: answer.opted_out,
    cadenceDays: answer.cadence_days,
    closesAt: answer.closes_at,
  };
}

/** The fields of each dimension, in display order. */
export const FIELDS: Record<DimensionName, readonly FieldName[]> = {
  satisfaction: [
    'avg_rating',
    'avg_productivity',
    'enps_score',
    'response_count',
  ],
  performance: [
    'deployment_frequency',
    'lead_time_hours',
    'build_success_rate',
  ],
  activity: ['commits_per_week', 'prs_merged', 'active_days'],
  communication: ['pr_comments', 'docs_updates', 'chat_messages'],
  efficiency: [
    'time_to_first_commit_hours',
    'time_to_production_hours',
    'cognitive_load_index',
  ],
};

/** A part of a series. Its fields are on the same level as its dates. */
type ReadingAnswer = { start: string; end: string; samples?: Samples } & Values;

/** Response of `GET /api/v1/metrics/space/{dimension}`. */
export interface DimensionAnswer {
  dimension: DimensionName;
  period: { start: string; end: string };
  data: Values & {
    trend: Trend;
    series: ReadingAnswer[];
    samples: Samples;
    nps_breakdown?: DimensionReport['stances'];
    suppressed: boolean;
    minimum_group_size: number;
    weeks: DimensionReport['weeks'];
    stale?: boolean;
  };
}

/** Response of `GET /api/v1/metrics/space`. */
export interface SpaceAnswer {
  metrics: Record<DimensionName, Values>;
}

/** Separates the fields of a response from its metadata. */
export function readReport(answer: DimensionAnswer): DimensionReport {
  const { dimension, period, data } = answer;
  const reading = (part: ReadingAnswer): Reading => ({
    startDate: part.start,
    endDate: part.end,
    values: Object.fromEntries(
      FIELDS[dimension].map(field => [field, part[field]]),
    ),
    samples: part.samples ?? {},
  });
  return {
    dimension,
    ...reading({ ...data, ...period }),
    trend: data.trend,
    series: data.series.map(reading),
    stances: data.nps_breakdown,
    suppressed: data.suppressed,
    minimumGroupSize: data.minimum_group_size,
    weeks: data.weeks,
    stale: data.stale ?? false,
  };
}

/** Merges the fields of all dimensions, whose names are unique. */
export function readValues({ metrics }: SpaceAnswer): Values {
  return Object.assign({}, ...DIMENSIONS.map(name => metrics[name]));
}
