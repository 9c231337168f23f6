import { createApiRef } from '@backstage/frontend-plugin-api';

/** What every call takes beside its own arguments. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** A team and a period, as parameters of a request. */
export interface SpaceQuery {
  /** Name of a team as `getTeams` gives it; everybody without it. */
  team?: string;
  /** `YYYY-MM-DD`, both inclusive. */
  startDate: string;
  endDate: string;
}

/**
 * Reads and feeds space-metrics. Every method rejects with a `ResponseError` when
 * the answer is not 2xx, and with a `TypeError` when there was none. Whatever is
 * sent is the signed-in user's; the service takes who that is from the session.
 */
export interface SpaceApi {
  /** Names of the teams that have data. */
  getTeams(options?: CallOptions): Promise<string[]>;
  /** All fields of all dimensions, without what they rest on. */
  getValues(query: SpaceQuery, options?: CallOptions): Promise<Values>;
  getDimension(
    name: DimensionName,
    query: SpaceQuery & { granularity: Granularity },
    options?: CallOptions,
  ): Promise<DimensionReport>;
  getTopFriction(
    query: SpaceQuery,
    options?: CallOptions,
  ): Promise<TopFriction>;
  getAssessmentForm(options?: CallOptions): Promise<AssessmentForm>;
  getReminder(options?: CallOptions): Promise<Reminder>;
  changeReminder(change: ReminderChange): Promise<Reminder>;
  submitPulse(pulse: Pulse): Promise<void>;
  submitFriction(friction: Friction): Promise<void>;
  submitAssessment(assessment: Assessment): Promise<LoadReceipt>;
  /** Everything that is stored of the reader; undefined when there is nothing. */
  getMyRecords(options?: CallOptions): Promise<PersonalRecords | undefined>;
  /** Takes the reader out of records and numbers, for good. */
  eraseMyRecords(): Promise<void>;
}

/** {@link SpaceApi} */
export const spaceApiRef = createApiRef<SpaceApi>().with({
  id: 'plugin.space.client',
  pluginId: 'space',
});

/** The five dimensions of SPACE, in the order of the word. */
export const DIMENSIONS = [
  'satisfaction',
  'performance',
  'activity',
  'communication',
  'efficiency',
] as const;
export type DimensionName = (typeof DIMENSIONS)[number];

/** Every number of every dimension, as the service names it. */
export type FieldName =
  | 'enps_score'
  | 'avg_rating'
  | 'response_count'
  | 'deployment_frequency'
  | 'lead_time_hours'
  | 'build_success_rate'
  | 'commits_per_week'
  | 'prs_merged'
  | 'active_days'
  | 'chat_messages'
  | 'pr_comments'
  | 'docs_updates'
  | 'time_to_first_commit_hours'
  | 'time_to_production_hours'
  | 'cognitive_load_index';

/** null: too few people stand behind the number to show it, or its cycle is not over. */
export type Values = Partial<Record<FieldName, number | null>>;

/** On how many answers, people or events numbers rest, by kind. */
export type Samples = Readonly<Record<string, number>>;

/** Against the period before, of equal length, in the direction that is good. */
export type Trend = 'improving' | 'stable' | 'declining';
/** How a period is cut for its series; weeks begin on Monday. */
export type Granularity = 'daily' | 'weekly' | 'monthly';

/** Numbers of some days. */
export interface Reading {
  /** `YYYY-MM-DD`, both inclusive. */
  startDate: string;
  endDate: string;
  values: Values;
  samples: Samples;
}

/** One dimension of a team and a period. */
export interface DimensionReport extends Reading {
  dimension: DimensionName;
  trend: Trend;
  /** The period in parts, in order. */
  series: readonly Reading[];
  /** Mean satisfaction; null where hidden. */
  stances?: Record<'promoters' | 'passives' | 'detractors', number | null>;
  /** Something is not shown: too few people stand behind it, or its cycle is not over. */
  suppressed: boolean;
  /** Groups of fewer people are hidden. */
  minimumGroupSize: number;
  /** The delivery lake does not answer: what comes from it is old or missing. */
  stale: boolean;
}

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What costs a team time, costliest first. */
export interface TopFriction {
  minimumGroupSize: number;
  items: readonly FrictionCategory[];
}

/** All friction of one category. */
export interface FrictionCategory {
  category: string;
  entries: number;
  /** Different people, of the week that has the most. */
  reporters: number;
  minutesLost: number;
  /** What as many people as make a group wrote alike, in no order. */
  texts: readonly string[];
}

/** A pulse survey, answered. */
export interface Pulse {
  /** 1 to 5. */
  satisfaction: number;
  /** 1 to 5. */
  productivity: number;
  /** 0 to 10, where it was answered. */
  recommend?: number;
  blockers: string;
  wins: string;
}

/** Something that got in the way. */
export interface Friction {
  category: string;
  description: string;
  severity: Severity;
  minutesLost: number;
}

/** From what the assessment of cognitive load is built. */
export interface AssessmentForm {
  title: string;
  instructions: string;
  scale: { min: number; max: number; step: number };
  dimensions: readonly {
    id: string;
    label: string;
    question: string;
    low_label: string;
    high_label: string;
  }[];
}

/** An assessment, filled in. */
export interface Assessment {
  task: string;
  /** Answers by the id of the form's dimension. */
  scores: Record<string, number>;
}

/** What an assessment came to. */
export interface LoadReceipt {
  /** Mean of the scores, 0 to 100. */
  cognitiveLoadIndex: number;
}

/** When the reader is asked for the next pulse survey. Times are ISO 8601. */
export interface Reminder {
  due: boolean;
  /** null for whoever opted out. */
  dueAt: string | null;
  lastAnsweredAt: string | null;
  snoozedUntil: string | null;
  optedOut: boolean;
  cadenceDays: number;
}

/** null takes a snooze back. */
export interface ReminderChange {
  snoozedUntil?: string | null;
  optedOut?: boolean;
}

/** What is stored of the reader, as the service writes it. */
export interface PersonalRecords {
  surveys: readonly unknown[];
  friction_logs: readonly unknown[];
  cognitive_loads: readonly unknown[];
  activity: readonly unknown[];
}
