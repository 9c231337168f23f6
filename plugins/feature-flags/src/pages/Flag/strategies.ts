import type { Strategy } from '../../api/FlagsApi';

/** Strategies that can be chosen here; others are shown as they are. */
export const STRATEGIES = [
  'default',
  'gradualRolloutUserId',
  'flexibleRollout',
] as const;

export type StrategyName = (typeof STRATEGIES)[number];

/** The parameter that holds the percentage, by strategy. */
export const SHARES: Readonly<Record<string, string>> = {
  gradualRolloutUserId: 'percentage',
  gradualRolloutSessionId: 'percentage',
  gradualRolloutRandom: 'percentage',
  flexibleRollout: 'rollout',
};

const START_PERCENT = 25;

/** Tells whether there are words for a strategy. */
export function isKnownStrategy(name: string): name is StrategyName {
  return (STRATEGIES as readonly string[]).includes(name);
}

/** How many of a hundred a strategy lets in; undefined where it goes by something else. */
export function shareOf({ name, parameters }: Strategy): number | undefined {
  const key = SHARES[name];
  return key === undefined ? undefined : Number(parameters[key] ?? 0);
}

/** A strategy that lets in another share. */
export function withShare(strategy: Strategy, percent: number): Strategy {
  const { name, parameters } = strategy;
  return {
    ...strategy,
    parameters: { ...parameters, [SHARES[name]]: String(percent) },
  };
}

/**
 * A strategy of another kind for a flag. Users keep what they have while a share grows,
 * also from one kind to the other: both go by the same group.
 *
 * @param share - to go on with, where both have one.
 */
export function newStrategy(
  name: string,
  options: { flag: string; share?: number },
): Strategy {
  const percent = String(options.share ?? START_PERCENT);
  switch (name) {
    case 'gradualRolloutUserId':
      return {
        name,
        parameters: { percentage: percent, groupId: options.flag },
      };
    case 'flexibleRollout':
      return {
        name,
        parameters: {
          rollout: percent,
          stickiness: 'default',
          groupId: options.flag,
        },
      };
    default:
      return { name, parameters: {} };
  }
}
