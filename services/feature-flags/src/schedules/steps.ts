import { randomUUID } from 'node:crypto';
import { ConflictError, InvalidRequestError } from '@slipway/service-kit';
import {
  type Flag,
  SHARE_PARAMETERS,
  type Strategy,
  stateOf,
  withState,
} from '../model/Flag.ts';
import type { SchedulePlan, ScheduleStep } from '../model/Schedule.ts';

/** A plan as sent in a request. */
export interface SentPlan extends Omit<SchedulePlan, 'strategyId'> {
  readonly strategyId?: string;
}

/**
 * Completes a plan for a flag in one environment: steps set the percentage of the
 * named strategy, or of the only strategy with a percentage.
 *
 * @throws InvalidRequestError if steps are out of order or have no effect, or if the strategy is ambiguous.
 */
export function readPlan(
  sent: SentPlan,
  { flag, environment, now }: { flag: Flag; environment: string; now: number },
): SchedulePlan {
  const { steps, limits, whenCrossed } = sent;
  steps.forEach((step, index) => {
    const field = `steps.${index}`;
    const earliest = index === 0 ? undefined : steps[index - 1].at;
    if (earliest !== undefined && step.at <= earliest) {
      refuse(`${field}.at`, 'must be after the step before');
    }
    if (step.enabled === undefined && step.percentage === undefined) {
      refuse(field, 'must set enabled or percentage');
    }
  });
  const last = steps.at(-1);
  if (!last || last.at < now - 60_000) {
    refuse('steps', 'must not be over');
  }
  const isRollout = steps.some(({ percentage }) => percentage !== undefined);
  const { strategies } = stateOf(flag, environment);
  return {
    steps,
    limits,
    whenCrossed,
    strategyId: isRollout ? chooseStrategy(strategies, sent.strategyId) : null,
  };
}

function chooseStrategy(
  strategies: readonly Strategy[],
  wanted: string | undefined,
): string {
  const rollouts = strategies.filter(({ name }) => isRollable(name));
  if (wanted !== undefined) {
    return rollouts.some(({ id }) => id === wanted)
      ? wanted
      : refuse('strategyId', 'must be a strategy that can have a share');
  }
  if (strategies.length === 0) {
    // The first step adds it.
    return randomUUID();
  }
  return strategies.length === 1 && rollouts.length === 1
    ? rollouts[0].id
    : refuse('strategyId', 'must name one of several strategies');
}

/** Returns strategies with a percentage, and the default strategy, which can get one. */
function isRollable(name: string): boolean {
  return SHARE_PARAMETERS.has(name) || name === 'default';
}

/**
 * Applies a step to a flag.
 *
 * @throws ConflictError if the strategy no longer exists.
 */
export function applyStep(
  flag: Flag,
  environment: string,
  { step, strategyId }: { step: ScheduleStep; strategyId: string | null },
): Flag {
  const { enabled, percentage } = step;
  const { strategies } = stateOf(flag, environment);
  return withState(flag, environment, {
    ...(enabled !== undefined && { enabled }),
    ...(percentage !== undefined && {
      strategies: withShare(strategies, {
        id: strategyId ?? '',
        percentage,
        flag: flag.name,
      }),
    }),
  });
}

function withShare(
  strategies: readonly Strategy[],
  { id, percentage, flag }: { id: string; percentage: number; flag: string },
): Strategy[] {
  const index = strategies.findIndex(each => each.id === id);
  const share = String(percentage);
  const fresh = {
    name: 'flexibleRollout',
    parameters: { rollout: share, stickiness: 'default', groupId: flag },
  };
  if (strategies.length === 0) {
    return [{ id, ...fresh }];
  }
  if (index === -1) {
    throw new ConflictError('The strategy that was rolled out is gone');
  }
  const strategy = strategies[index];
  const parameter = SHARE_PARAMETERS.get(strategy.name);
  return strategies.with(
    index,
    parameter === undefined
      ? { ...strategy, ...fresh }
      : {
          ...strategy,
          parameters: { ...strategy.parameters, [parameter]: share },
        },
  );
}

function refuse(field: string, words: string): never {
  throw new InvalidRequestError(`${field} ${words}`, {
    field,
    constraint: 'format',
  });
}
