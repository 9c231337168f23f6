import type { Constraint, Strategy, Variant } from '../../api/flags';
import { variantDetails } from '../../components/variants';

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

/** The percentage at which a rule for everyone starts when it becomes a gradual rollout. */
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

/** A rule that goes to others: whom it is narrowed to by constraints and segments stays. */
export function withKind(
  strategy: Strategy,
  kind: string,
  options: { flag: string },
): Strategy {
  const share = shareOf(strategy);
  return { ...strategy, ...newStrategy(kind, { ...options, share }) };
}

/** Tells everything that a strategy does, in one line. */
export function strategyText(strategy: Partial<Strategy>): string {
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
    ...segments.map(id => `segment ${id}`),
    variants.length > 0 &&
      `variants ${variants.map(variantDetails).join('; ')}`,
    disabled && 'disabled',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Words a variant as `red 50%`. */
export function variantText({ name, weight }: Variant): string {
  return `${name} ${weight / 10}%`;
}

/** Words a condition as `region not IN eu, us`. */
export function constraintText(constraint: Constraint): string {
  const { contextName, operator, values = [], value, inverted } = constraint;
  const operands = value === undefined ? values : [value, ...values];
  return [
    contextName,
    ...(inverted ? ['not'] : []),
    operator,
    operands.join(', '),
  ].join(' ');
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
