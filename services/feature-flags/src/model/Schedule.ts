/** A step of a schedule: a change of a flag at a time. */
export interface ScheduleStep {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Turns the flag on or off, if set. */
  readonly enabled?: boolean;
  /** The percentage of users for the strategy that is rolled out. */
  readonly percentage?: number;
}

/** The aggregation of the samples of an impact metric over a period. */
export const AGGREGATIONS = [
  'count',
  'rate',
  'average',
  'p95',
  'last',
] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

/** A value of an impact metric at which a schedule stops. */
export interface MetricLimit {
  readonly kind: 'metric';
  readonly metric: string;
  readonly aggregation: Aggregation;
  readonly operator: '>' | '<';
  readonly threshold: number;
  /** The length of the period, which never extends back beyond the latest step. */
  readonly minutes: number;
}

/** A number of failed deployments of a service in the delivery lake at which a schedule stops. */
interface DeploymentLimit {
  readonly kind: 'deployments';
  readonly service: string;
  /** The number of failures since the latest step. */
  readonly failures: number;
}

/** A number of failed builds of a service on the build server at which a schedule stops. */
interface BuildLimit {
  readonly kind: 'builds';
  readonly service: string;
  /** The number of failures since the latest step. */
  readonly failures: number;
}

export type Limit = MetricLimit | DeploymentLimit | BuildLimit;

/** What a schedule does when it crosses a limit: pause, or turn the flag off. */
export const REACTIONS = ['pause', 'off'] as const;
export type Reaction = (typeof REACTIONS)[number];

/** The plan of a schedule. */
export interface SchedulePlan {
  /** The steps, in the order of their times. */
  readonly steps: readonly ScheduleStep[];
  /** The strategy whose percentage is set; null if no step sets one. */
  readonly strategyId: string | null;
  readonly limits: readonly Limit[];
  readonly whenCrossed: Reaction;
}

/** `active` and `paused` schedules are open; a flag has at most one of them per environment. */
export const SCHEDULE_STATES = [
  'active',
  'paused',
  'done',
  'failed',
  'cancelled',
] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

/** Scheduled changes of a flag in one environment. Times are milliseconds since the Unix epoch. */
export interface Schedule extends SchedulePlan {
  readonly id: number;
  readonly flag: string;
  readonly environment: string;
  readonly state: ScheduleState;
  /** The reason why it was paused or failed; null otherwise. */
  readonly reason: string | null;
  /** The index of the next step. */
  readonly nextStep: number;
  /** True if it was approved, so that it may change a protected environment. */
  readonly isApproved: boolean;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export function isOpen({ state }: Pick<Schedule, 'state'>): boolean {
  return state === 'active' || state === 'paused';
}
