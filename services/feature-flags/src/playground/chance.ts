import type { SdkFlag } from '../frontend/sdkEvaluator.ts';
import type { Dependency } from '../model/Flag.ts';

/**
 * Runs an evaluation with a fixed random number. SDKs draw one for a context without a value that a
 * percentage could depend on, so different parts of a response would contradict each other.
 *
 * @param evaluate - must be synchronous: `Math.random` is replaced for everyone while it runs.
 * @returns its result, and whether it drew a number.
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

/** Evaluates a flag with the given rules for one context, with a fixed random number. */
type Probe = (flag: Partial<SdkFlag>) => { isOn: boolean; isDrawn: boolean };

/** The result of a flag in applications, if its parents allow it to be on. */
type OwnResult = 'off' | 'certain' | 'random';

type ClientStrategy = NonNullable<SdkFlag['strategies']>[number];

/**
 * Checks whether the result of a flag is random in applications. A drawn number alone does not make it
 * so: SDKs also draw one for 100%, for the only variant, or before a rule that matches anyway.
 *
 * @param options.find - returns a parent.
 */
export function isRandom(
  { dependencies = [], ...own }: SdkFlag,
  {
    probe,
    find,
  }: { probe: Probe; find: (name: string) => SdkFlag | undefined },
): boolean {
  const result = ownResult(own, probe);
  if (result === 'off') {
    return false;
  }
  const isUnsure = ({ feature, variants }: Dependency) => {
    const parent = find(feature);
    // SDKs never turn on a flag whose parent has a parent.
    return (
      parent !== undefined &&
      !parent.dependencies?.length &&
      ownResult(variants?.length ? parent : withoutVariants(parent), probe) ===
        'random'
    );
  };
  const unsure = dependencies.filter(isUnsure);
  const others = dependencies.filter(each => !unsure.includes(each));
  return (
    (result === 'random' || unsure.length > 0) &&
    probe({ strategies: [], dependencies: others }).isOn
  );
}

function ownResult(
  { enabled, strategies = [], variants = [] }: SdkFlag,
  probe: Probe,
): OwnResult {
  if (!enabled) {
    return 'off';
  }
  // The strategies that may be the first to match, which decides the result.
  const possible: ClientStrategy[] = [];
  let isSure = strategies.length === 0;
  for (const strategy of strategies) {
    const { isOn, isDrawn } = probe({
      strategies: [{ ...strategy, variants: [] }],
    });
    const isChance = isDrawn && hasPart(strategy);
    if (isChance || isOn) {
      possible.push(strategy);
    }
    isSure = isOn && !isChance;
    if (isSure) {
      break;
    }
  }
  if (!isSure) {
    return possible.length > 0 ? 'random' : 'off';
  }
  const hasOwn = ({ variants: own = [] }: ClientStrategy) => own.length > 0;
  if (possible.length > 1 && possible.some(hasOwn)) {
    return 'random';
  }
  const chosen = possible.find(hasOwn)?.variants ?? variants;
  return chosen.filter(({ weight }) => weight > 0).length > 1 &&
    probe({ strategies: [], variants: chosen }).isDrawn
    ? 'random'
    : 'certain';
}

function withoutVariants(flag: SdkFlag): SdkFlag {
  return {
    ...flag,
    variants: [],
    strategies: flag.strategies?.map(each => ({ ...each, variants: [] })),
  };
}

/** Checks whether a strategy applies to only a percentage of users. */
function hasPart({ name, parameters }: ClientStrategy): boolean {
  const percentage = Number(
    name === 'gradualRolloutRandom'
      ? parameters.percentage
      : parameters.rollout,
  );
  return percentage > 0 && percentage < 100;
}
