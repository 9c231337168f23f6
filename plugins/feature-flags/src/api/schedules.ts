/** What a schedule does at a time, ISO 8601. */
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
  | { kind: 'deployments'; service: string; failures: number };

export type Aggregation = 'count' | 'rate' | 'average' | 'p95' | 'last';

export interface NewSchedule {
  steps: readonly ScheduleStep[];
  limits: readonly ScheduleLimit[];
  whenCrossed: 'pause' | 'off';
}

export type ScheduleState =
  'active' | 'paused' | 'done' | 'failed' | 'cancelled';

export type ScheduleChange = 'pause' | 'resume' | 'cancel';

/** Steps that change a flag in one environment at their times. */
export interface Schedule extends NewSchedule {
  id: number;
  featureName: string;
  environment: string;
  state: ScheduleState;
  /** Why it was paused or has failed. */
  reason: string | null;
  /** The index of the first step that is still to come. */
  nextStep: number;
  createdBy: string;
}
