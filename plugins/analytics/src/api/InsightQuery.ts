import type { HogqlQuery, PropertyFilter, TableQuery } from './EventsApi';

/** The kinds of insights that the form can build. */
export const INSIGHT_KINDS = [
  'TrendsQuery',
  'FunnelsQuery',
  'RetentionQuery',
  'LifecycleQuery',
  'StickinessQuery',
  'PathsQuery',
] as const;
export type InsightKind = (typeof INSIGHT_KINDS)[number];

/** The events to count, as the service defines them. */
export interface SeriesNode {
  kind: 'EventsNode';
  event?: string;
  math?: string;
  /** The property that `sum`, `avg` and percentiles aggregate. */
  math_property?: string;
  /** The number of the group type that `unique_group` counts. */
  math_group_type_index?: number;
}

/** The first or the returning event of a retention; any event if it has no id. */
export interface RetentionEntity {
  id?: string | null;
}

/** A property that results are broken down by. */
export interface BreakdownProperty {
  property: string;
  /** The owner of the property: `event` (the default), `person` or `group`. */
  type?: string;
  /** The number of the group type, for properties of groups. */
  group_type_index?: number;
}

/** A query of an insight, as the service defines it. */
export interface InsightQuery {
  kind: string;
  series?: SeriesNode[];
  interval?: string;
  dateRange?: { date_from?: string; date_to?: string };
  /** Filters that all counted events match; programs may also nest them. */
  properties?: PropertyFilter[] | object;
  breakdownFilter?: {
    /** One or several properties; with the type `cohort`, ids of cohorts, `all` or `others`. */
    breakdown?: string | number | (string | number)[];
    breakdown_type?: string;
    breakdown_group_type_index?: number;
    /** Several properties, instead of the single one above. */
    breakdowns?: BreakdownProperty[];
  };
  trendsFilter?: {
    formula?: string;
    display?: string;
    /** The number of intervals of a moving average; 1 if undefined. */
    smoothingIntervals?: number;
  };
  compareFilter?: { compare: boolean };
  filterTestAccounts?: boolean;
  /** The number of the group type whose groups are followed instead of people. */
  aggregation_group_type_index?: number | null;
  funnelsFilter?: {
    /** A HogQL expression whose values are followed instead of people. */
    funnelAggregateByHogQL?: string;
    funnelOrderType?: string;
    funnelVizType?: string;
    funnelWindowInterval?: number;
    funnelWindowIntervalUnit?: string;
    /** Events that exclude users who have them between two steps, counted from 0. */
    exclusions?: (SeriesNode & {
      funnelFromStep: number;
      funnelToStep: number;
    })[];
  };
  retentionFilter?: {
    period?: string;
    totalIntervals?: number;
    targetEntity?: RetentionEntity;
    returningEntity?: RetentionEntity;
  };
  stickinessFilter?: { computedAs?: string };
  /** The HogQL of a HogQLQuery. */
  query?: string;
  filters?: HogqlQuery['filters'];
  pathsFilter?: {
    startPoint?: string;
    stepLimit?: number;
    localPathCleaningFilters?: readonly { regex: string; alias: string }[];
    /** The ends of the move whose users are listed, named as in {@link PathEdge}. */
    pathStartKey?: string;
    pathEndKey?: string;
  };
}

/** Checks whether a query is in HogQL. */
export function isHogql(
  query: InsightQuery,
): query is InsightQuery & HogqlQuery {
  return query.kind === 'HogQLQuery';
}

/** Checks whether a query returns a table of the columns that it selects. */
export function isTable(
  query: InsightQuery,
): query is InsightQuery & TableQuery {
  return isHogql(query) || query.kind === 'EventsQuery';
}

/** Checks whether the form for insights can build queries of this kind. */
export function hasForm({ kind }: InsightQuery): boolean {
  return INSIGHT_KINDS.some(each => each === kind);
}

/** The states of users in an interval of a lifecycle. */
export const LIFECYCLE_STATUSES = [
  'new',
  'returning',
  'resurrecting',
  'dormant',
] as const;
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];

/** The value of a breakdown by one property, the values of several, or the id of a cohort. */
export type BreakdownValue = string | number | string[];

/** A line of trends, stickiness or lifecycle: one number per interval. */
export interface TrendLine {
  label: string;
  /** The sum of `data`; its last number if `data` is cumulative. */
  count: number;
  data: number[];
  /** The number for the whole period, if the query asks only for that. */
  aggregated_value?: number;
  /** Start of each interval in local time, so an hour may occur twice; `labels` is for display. */
  days: (string | number)[];
  labels: string[];
  compare_label?: 'current' | 'previous';
  /** The value of a breakdown, or of each of its properties; or the id of a cohort. */
  breakdown_value?: BreakdownValue;
  /** The status of the users that a line of a lifecycle counts. */
  status?: LifecycleStatus;
  /** How events are counted; null for the result of a formula. */
  action?: {
    math?: string;
    math_property?: string | null;
    /** The index of the series. */
    order?: number;
  } | null;
}

/** A step of a funnel. */
export interface FunnelStep {
  name: string;
  order: number;
  count: number;
  /** Seconds from the previous step; null if nobody completed this one. */
  median_conversion_time: number | null;
  /** The value of a breakdown, or of each of its properties; empty without a value. */
  breakdown_value?: BreakdownValue;
  /** The name of a cohort; otherwise equal to `breakdown_value`. */
  breakdown?: string | string[];
}

/** How long people take from the first step of a funnel to the last. */
export interface FunnelTimes {
  /** Seconds; null if nobody completed the funnel. */
  average_conversion_time: number | null;
  /** Numbers of people by the minimum number of seconds that they took, in ascending order. */
  bins: [seconds: number, people: number][];
}

/** The people who started in one interval, and how many returned in each later interval. */
export interface RetentionRow {
  date: string;
  label: string;
  values: { count: number; label: string }[];
  breakdown_value?: string;
}

/** The number of moves of people from one place to another. */
export interface PathEdge {
  source: string;
  target: string;
  value: number;
  /** Milliseconds. */
  average_conversion_time: number;
}

/** A number of the web overview. */
export interface WebMetric {
  key: string;
  kind: 'unit' | 'duration_s' | 'percentage';
  value: number | null;
  changeFromPreviousPct: number | null;
  isIncreaseBad: boolean;
}

/** A saved insight. */
export interface SavedInsight {
  id: string;
  name: string;
  query: InsightQuery;
  version: number;
  created_by: string;
  updated_at: string;
  may_change: boolean;
}

/** A dashboard, which shows several insights. */
export interface Dashboard {
  id: string;
  name: string;
  /** Ids of insights, in order. */
  tiles: string[];
  version: number;
  created_by: string;
  updated_at: string;
  may_change: boolean;
}
