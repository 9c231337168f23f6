/** What a schedule does to a flag at a time. */
export interface ScheduleStep {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Turns the flag on or off; what is left out stays. */
  readonly enabled?: boolean;
  /** The share of users of the strategy that is rolled out. */
  readonly percentage?: number;
}

/** How the samples of an impact metric are summed up over the minutes that are looked at. */
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
  /** How far back to look, and no further than the latest step. */
  readonly minutes: number;
}

/** Failed deployments of a service, as the delivery lake has them, at which a schedule stops. */
export interface DeploymentLimit {
  readonly kind: 'deployments';
  readonly service: string;
  /** Stops at so many failures since the latest step. */
  readonly failures: number;
}

export type Limit = MetricLimit | DeploymentLimit;

/** What happens where a limit is crossed. */
export const REACTIONS = ['pause', 'off'] as const;
export type Reaction = (typeof REACTIONS)[number];

/** What somebody wants a schedule to do. */
export interface SchedulePlan {
  /** The steps, in the order of their times. */
  readonly steps: readonly ScheduleStep[];
  /** The strategy whose share is set; null where no step sets one. */
  readonly strategyId: string | null;
  readonly limits: readonly Limit[];
  readonly whenCrossed: Reaction;
}

/** `active` and `paused` schedules are open: a flag has one in an environment at most. */
export const SCHEDULE_STATES = [
  'active',
  'paused',
  'done',
  'failed',
  'cancelled',
] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

/** Steps that change a flag in one environment at their times. Times are milliseconds since the Unix epoch. */
export interface Schedule extends SchedulePlan {
  readonly id: number;
  readonly flag: string;
  readonly environment: string;
  readonly state: ScheduleState;
  /** Why it was paused or has failed; null otherwise. */
  readonly reason: string | null;
  /** The index of the first step that is still to come. */
  readonly nextStep: number;
  /** True where others have approved it: it may change a protected environment. */
  readonly isApproved: boolean;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export function isOpen({ state }: Pick<Schedule, 'state'>): boolean {
  return state === 'active' || state === 'paused';
}
