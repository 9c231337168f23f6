import type { SdkFlag } from '../frontend/sdkEvaluator.ts';
import type { Variant } from '../model/Flag.ts';

/**
 * Evaluates something with a fixed chance: SDKs draw a number for a context without a value that a
 * percentage could depend on, and parts of an answer would contradict each other.
 *
 * @param evaluate - must not wait for anything, because others need real chance.
 * @returns its result, and whether a number was drawn.
 */
export function withFixedChance<T>(evaluate: () => T): {
  result: T;
  isDrawn: boolean;
} {
  const { random } = Math;
  let isDrawn = false;
  Math.random = () => {
    isDrawn = true;
    return 0.5;
  };
  try {
    const result = evaluate();
    return { result, isDrawn };
  } finally {
    Math.random = random;
  }
}

/** Returns whether a number that is drawn can decide the result of a flag: not if 100% get it. */
export function canBeRandom({
  strategies = [],
  variants = [],
}: SdkFlag): boolean {
  return (
    differ(variants) ||
    strategies.some(
      ({ name, parameters, variants: own = [] }) =>
        differ(own) ||
        (name === 'flexibleRollout' && isPart(parameters.rollout)) ||
        (name === 'gradualRolloutRandom' && isPart(parameters.percentage)),
    )
  );
}

function differ(variants: readonly Variant[]): boolean {
  return variants.filter(({ weight }) => weight > 0).length > 1;
}

function isPart(percentage: string | undefined): boolean {
  return Number(percentage) > 0 && Number(percentage) < 100;
}
