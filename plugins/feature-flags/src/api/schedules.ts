/** A step of a schedule; its time is ISO 8601. */
export interface ScheduleStep {
  at: string;
  enabled?: boolean;
  percentage?: number;
}

/** A value at which a schedule stops. */
export type ScheduleLimit =
  | {
      kind: 'metric';
      metric: string;
      aggregation: Aggregation;
      operator: '>' | '<';
      threshold: number;
      minutes: number;
    }
  | { kind: 'deployments' | 'builds'; service: string; failures: number };

/** What limits of schedules can refer to. */
export interface LimitSources {
  /** The names of the impact metrics of the last 24 hours. */
  metrics: readonly string[];
  /** True if failed builds can be counted. */
  watchesBuilds: boolean;
}

export type Aggregation = 'count' | 'rate' | 'average' | 'p95' | 'last';

export interface NewSchedule {
  steps: readonly ScheduleStep[];
  limits: readonly ScheduleLimit[];
  whenCrossed: 'pause' | 'off';
}

export type ScheduleState =
  'active' | 'paused' | 'done' | 'failed' | 'cancelled';

export type ScheduleChange = 'pause' | 'resume' | 'cancel';

/** Scheduled changes of a flag in one environment. */
export interface Schedule extends NewSchedule {
  id: number;
  featureName: string;
  environment: string;
  state: ScheduleState;
  /** The reason why it was paused or failed. */
  reason: string | null;
  /** The index of the next step. */
  nextStep: number;
  createdBy: string;
}
