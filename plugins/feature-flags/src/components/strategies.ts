import type { Constraint, Strategy, Variant } from '../api/flags';
import { variantDetails } from './variants';

/** Strategies that can be chosen here; others are shown as they are. */
export const STRATEGIES = [
  'default',
  'gradualRolloutUserId',
  'flexibleRollout',
] as const;

export type StrategyName = (typeof STRATEGIES)[number];

/** The name of the parameter with the percentage, by strategy. */
export const SHARES: Readonly<Record<string, string>> = {
  gradualRolloutUserId: 'percentage',
  gradualRolloutSessionId: 'percentage',
  gradualRolloutRandom: 'percentage',
  flexibleRollout: 'rollout',
};

/** The percentage at which a rule for everyone starts when it becomes a gradual rollout. */
const START_PERCENT = 25;

/** Checks whether a strategy has a label. */
export function isKnownStrategy(name: string): name is StrategyName {
  return (STRATEGIES as readonly string[]).includes(name);
}

/** Returns the percentage of a strategy; undefined if it has none. */
export function shareOf({ name, parameters }: Strategy): number | undefined {
  const key = SHARES[name];
  return key === undefined ? undefined : Number(parameters[key] ?? 0);
}

/** Changes the percentage of a strategy. */
export function withShare(strategy: Strategy, percent: number): Strategy {
  const { name, parameters } = strategy;
  return {
    ...strategy,
    parameters: { ...parameters, [SHARES[name]]: String(percent) },
  };
}

/** Changes the strategy of a rule, and keeps its constraints and segments. */
export function withKind(
  strategy: Strategy,
  kind: string,
  options: { flag: string },
): Strategy {
  const share = shareOf(strategy);
  return { ...strategy, ...newStrategy(kind, { ...options, share }) };
}

/** Swaps the rule at an index with the next one. */
export function swapped(
  strategies: readonly Strategy[],
  index: number,
): Strategy[] {
  return strategies
    .with(index, strategies[index + 1])
    .with(index + 1, strategies[index]);
}

/** Describes a strategy in one line, completely except for the group of its rollout. */
export function strategyText(
  strategy: Partial<Strategy>,
  segmentNames: ReadonlyMap<number, string>,
): string {
  const { name = '–', title, parameters = {}, constraints = [] } = strategy;
  const { segments = [], variants = [], disabled } = strategy;
  const share = shareOf({ name, parameters });
  const rest = Object.entries(parameters).filter(
    ([key]) => key !== SHARES[name] && key !== 'groupId',
  );
  return [
    share === undefined ? name : `${name} ${share}%`,
    title && `"${title}"`,
    ...rest.map(([key, value]) => `${key} ${value || '–'}`),
    ...constraints.map(constraintText),
    ...segments.map(id => `segment ${segmentNames.get(id) ?? id}`),
    variants.length > 0 &&
      `variants ${variants.map(variantDetails).join('; ')}`,
    disabled && 'disabled',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Formats a variant as `red 50%`. */
export function variantText({ name, weight }: Variant): string {
  return `${name} ${weight / 10}%`;
}

/** Formats a constraint as `region not IN eu, us`. */
export function constraintText(constraint: Constraint): string {
  const { contextName, operator, values = [], value } = constraint;
  const { inverted, caseInsensitive } = constraint;
  const operands = value === undefined ? values : [value, ...values];
  return [
    contextName,
    ...(inverted ? ['not'] : []),
    operator,
    operands.join(', '),
    ...(caseInsensitive ? ['(ignoring case)'] : []),
  ].join(' ');
}

/**
 * Creates a strategy for a flag. Users who have the flag keep it while the percentage grows, even if
 * the strategy changes, because all strategies of a flag share a group.
 *
 * @param share - the initial percentage.
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
