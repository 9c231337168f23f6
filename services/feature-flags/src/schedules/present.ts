import { isoOf } from '@slipway/entity-contract';
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
    steps: steps.map(({ at, ...step }) => ({ at: isoOf(at), ...step })),
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
    createdAt: isoOf(schedule.createdAt),
    updatedAt: isoOf(schedule.updatedAt),
  };
}
