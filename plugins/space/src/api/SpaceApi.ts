import { createApiRef } from '@backstage/frontend-plugin-api';
import type { CallOptions } from '@slipway/app-react';

/** A team and a period, as parameters of a request. */
export interface SpaceQuery {
  /** Name of a team as returned by `getTeams`; all teams if omitted. */
  team?: string;
  /** `YYYY-MM-DD`, both inclusive. */
  startDate: string;
  endDate: string;
}

/**
 * Reads and submits SPACE metrics. Every method rejects with a `ResponseError` if the response
 * is not 2xx, and with a `TypeError` if there is no response. Submissions belong to the
 * signed-in user, whom the service identifies by the session.
 */
export interface SpaceApi {
  /** Returns the names of the teams with data. */
  getTeams(options?: CallOptions): Promise<string[]>;
  /** Returns the contract's fields of all dimensions, without `avg_productivity` or samples. */
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
  /** Returns all stored data about the user; undefined if there is none. */
  getMyRecords(options?: CallOptions): Promise<PersonalRecords | undefined>;
  /** Permanently deletes the user from records and metrics. */
  eraseMyRecords(): Promise<void>;
}

/** {@link SpaceApi} */
export const spaceApiRef = createApiRef<SpaceApi>().with({
  id: 'plugin.space.client',
  pluginId: 'space',
});

/** The five dimensions of SPACE, in the order of the acronym. */
export const DIMENSIONS = [
  'satisfaction',
  'performance',
  'activity',
  'communication',
  'efficiency',
] as const;
export type DimensionName = (typeof DIMENSIONS)[number];

/** The names of all fields of all dimensions, as in the service. */
export type FieldName =
  | 'enps_score'
  | 'avg_rating'
  | 'avg_productivity'
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

/** The values of fields; null if there are too few people, or the survey cycle is not over. */
export type Values = Partial<Record<FieldName, number | null>>;

/** The number of answers, people or events that the values are based on, by kind. */
export type Samples = Readonly<Record<string, number>>;

/** The trend compared with the preceding period of equal length. */
export type Trend = 'improving' | 'stable' | 'declining';

/** The intervals of a series; weeks begin on Monday. */
export const GRANULARITIES = ['daily', 'weekly', 'monthly'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** The values of a dimension for a range of days. */
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
  /** The parts of the period, in order. */
  series: readonly Reading[];
  /** The number of people per group of the eNPS; null if hidden. */
  stances?: Record<'promoters' | 'passives' | 'detractors', number | null>;
  /** True if a value is hidden: it has too few people, or its survey cycle is not over. */
  suppressed: boolean;
  /** Minimum size of groups; smaller ones are hidden. */
  minimumGroupSize: number;
  /** The numbers of weeks that totals cover, in the period and in the preceding one. */
  weeks: { current: number; previous: number };
  /** True if the delivery lake is unavailable: its data is old or missing. */
  stale: boolean;
}

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The friction of a team, costliest first. */
export interface TopFriction {
  minimumGroupSize: number;
  items: readonly FrictionCategory[];
}

/** All friction of one category. */
export interface FrictionCategory {
  category: string;
  entries: number;
  /** The number of distinct people, in the week with the most people. */
  reporters: number;
  minutesLost: number;
  /** Texts that at least `minimumGroupSize` people wrote identically, in no particular order. */
  texts: readonly string[];
}

/** An answered pulse survey. */
export interface Pulse {
  /** 1 to 5. */
  satisfaction: number;
  /** 1 to 5. */
  productivity: number;
  /** 0 to 10, if answered. */
  recommend?: number;
  blockers: string;
  wins: string;
}

/** A friction entry: something that got in the way. */
export interface Friction {
  category: string;
  description: string;
  severity: Severity;
  minutesLost: number;
}

/** The definition of the cognitive load assessment. */
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

/** A completed assessment. */
export interface Assessment {
  task: string;
  /** Scores by the id of the form's dimension. */
  scores: Record<string, number>;
}

/** The result of an assessment. */
export interface LoadReceipt {
  /** Mean of the scores, 0 to 100. */
  cognitiveLoadIndex: number;
}

/** The state of the user's pulse survey and its reminder. Times are ISO 8601. */
export interface Reminder {
  due: boolean;
  /** null if the user opted out. */
  dueAt: string | null;
  lastAnsweredAt: string | null;
  snoozedUntil: string | null;
  optedOut: boolean;
  cadenceDays: number;
  /** The time when the current survey closes; until then, answers can be changed. */
  closesAt?: string;
}

/** Changes to the reminder; a null time cancels the snooze. */
export interface ReminderChange {
  snoozedUntil?: string | null;
  optedOut?: boolean;
}

/** The data stored about the user, oldest first, in the service's format. Times are ISO 8601. */
export interface PersonalRecords {
  surveys: readonly {
    survey_id: string;
    timestamp: string;
    responses: {
      overall_satisfaction: number;
      productivity_this_week: number;
      recommend?: number;
      blockers: string;
      wins: string;
    };
  }[];
  friction_logs: readonly {
    friction_id: string;
    timestamp: string;
    category: string;
    severity: Severity;
    time_lost_minutes: number;
    description: string;
  }[];
  cognitive_loads: readonly {
    assessment_id: string;
    timestamp: string;
    task: string;
  }[];
  activity: readonly unknown[];
}
