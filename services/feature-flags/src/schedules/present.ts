import type { Static } from 'typebox';
import type { Schedule, SchedulePlan } from '../model/Schedule.ts';
import type { PlanResponse, ScheduleResponse } from './schemas.ts';

/** Presents the plan of a schedule. */
export function presentPlan({
  steps,
  strategyId,
  limits,
  whenCrossed,
}: SchedulePlan): Static<typeof PlanResponse> {
  return {
    steps: steps.map(({ at, ...step }) => ({ at: timeOf(at), ...step })),
    strategyId,
    limits: [...limits],
    whenCrossed,
  };
}

export function presentSchedule(
  schedule: Schedule,
): Static<typeof ScheduleResponse> {
  const { id, flag, environment, state, reason, nextStep } = schedule;
  return {
    id,
    featureName: flag,
    environment,
    state,
    reason,
    nextStep,
    ...presentPlan(schedule),
    createdBy: schedule.createdBy,
    createdAt: timeOf(schedule.createdAt),
    updatedAt: timeOf(schedule.updatedAt),
  };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
