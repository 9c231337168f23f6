import type { Context } from 'unleash-client';
import { presentSegment, presentToClient } from '../client/presentFlag.ts';
import {
  sdkEvaluator,
  type SdkFlag,
  type SdkVariant,
} from '../frontend/sdkEvaluator.ts';
import {
  type Constraint,
  type Dependency,
  type Flag,
  type FlagState,
  type Segment,
  stateOf,
  type Strategy,
} from '../model/Flag.ts';
import { isRandom, withFixedChance } from './chance.ts';

/** The number of simulated users; fewer if their evaluation takes too long. */
const USERS = 1_000;
/** The time after which no more users are simulated, in milliseconds. */
const SIMULATION_MS = 2_000;
/** The name, invalid for flags, under which parts of a rule are evaluated separately. */
export const PROBE = ' probe';

/** A part of a rule, and whether a context meets it. */
interface Verdict<T> {
  readonly part: T;
  readonly enabled: boolean;
}

/** The reason why a strategy matches a context or not. */
interface StrategyVerdict {
  readonly strategy: Strategy;
  readonly enabled: boolean;
  /** True if the strategy matches without its constraints and segments. */
  readonly rollout: boolean;
  readonly constraints: readonly Verdict<Constraint>[];
  readonly segments: readonly Verdict<Segment | number>[];
}

/** The rule or setting that decided the result. */
export type Reason =
  | 'turned off'
  | 'parent flag'
  | 'no matching rule'
  | 'matching rule'
  | 'no rules';

/** The result of a flag for a context, with the reasons. */
export interface Explanation {
  readonly enabled: boolean;
  readonly variant: SdkVariant;
  readonly reason: Reason;
  /** True if applications get this result or another possible one at random. */
  readonly random: boolean;
  readonly strategies: readonly StrategyVerdict[];
  readonly dependencies: readonly Verdict<Dependency>[];
  /** The number of simulated users who get the flag, and each variant. */
  readonly simulation: {
    readonly users: number;
    readonly enabled: number;
    readonly variants: Readonly<Record<string, number>>;
  };
}

/** The flags and segments that an evaluation may need. */
interface Known {
  find(name: string): Flag | undefined;
  readonly segments: ReadonlyMap<number, Segment>;
}

/**
 * Evaluates a flag as SDKs do, and each part of its rules separately, with a fixed random number. Then
 * evaluates it for up to 1,000 simulated users, who differ only in `userId` and `sessionId`, for at
 * most two seconds.
 */
export function explain(
  flag: Flag,
  {
    environment,
    context,
    known,
  }: {
    environment: string;
    context: Context;
    known: Known;
  },
): Explanation {
  const { segments } = known;
  const others = new Map<string, SdkFlag | undefined>();
  const otherFlag = (name: string) => {
    if (!others.has(name)) {
      const other = known.find(name);
      others.set(name, other && presentToClient(other, { environment }));
    }
    return others.get(name);
  };
  const evaluate = (probe: SdkFlag, of: Context) =>
    sdkEvaluator({
      flag: name => (name === probe.name ? probe : otherFlag(name)),
      segment: id => {
        const segment = segments.get(id);
        return segment && presentSegment(segment);
      },
    })(probe.name, of);
  const probe = (part: Partial<SdkFlag>) => {
    const flagOfPart = { name: PROBE, enabled: true, ...part };
    const { result, isDrawn } = withFixedChance(() =>
      evaluate(flagOfPart, context),
    );
    return { isOn: Boolean(result.feature_enabled), isDrawn };
  };
  const meets = (strategy: Partial<Strategy>) =>
    probe({
      strategies: [
        {
          name: 'default',
          parameters: {},
          ...strategy,
          constraints: (strategy.constraints ?? []).map(each => ({
            values: [],
            ...each,
          })),
        },
      ],
    }).isOn;
  const whole = presentToClient(flag, { environment });
  const { result: variant, isDrawn } = withFixedChance(() =>
    evaluate(whole, context),
  );
  const strategies = stateOf(flag, environment).strategies.map(strategy =>
    explainStrategy(strategy, { meets, known: segments }),
  );
  const dependencies = flag.dependencies.map(part => ({
    part,
    enabled: probe({ strategies: [], dependencies: [part] }).isOn,
  }));
  const enabled = Boolean(variant.feature_enabled);
  return {
    enabled,
    variant,
    reason: reasonOf(stateOf(flag, environment), {
      enabled,
      hasParents: dependencies.every(each => each.enabled),
    }),
    random: isDrawn && isRandom(whole, { probe, find: otherFlag }),
    strategies,
    dependencies,
    simulation: simulate(of => evaluate(whole, of), context),
  };
}

function explainStrategy(
  strategy: Strategy,
  {
    meets,
    known,
  }: {
    meets: (strategy: Partial<Strategy>) => boolean;
    known: ReadonlyMap<number, Segment>;
  },
): StrategyVerdict {
  const { name, parameters, disabled } = strategy;
  const { constraints = [], segments = [] } = strategy;
  return {
    strategy,
    enabled: !disabled && meets({ name, parameters, constraints, segments }),
    rollout: meets({ name, parameters }),
    constraints: constraints.map(part => ({
      part,
      enabled: meets({ constraints: [part] }),
    })),
    segments: segments.map(id => ({
      part: known.get(id) ?? id,
      enabled: meets({ segments: [id] }),
    })),
  };
}

/**
 * Returns what decided the result of a flag.
 *
 * @param result.hasParents - true if all parent flags are in the required states.
 */
export function reasonOf(
  state: FlagState,
  result: { enabled: boolean; hasParents: boolean },
): Reason {
  if (!state.enabled) {
    return 'turned off';
  }
  if (!result.hasParents) {
    return 'parent flag';
  }
  if (result.enabled) {
    return state.strategies.length === 0 ? 'no rules' : 'matching rule';
  }
  return 'no matching rule';
}

function simulate(
  evaluate: (context: Context) => SdkVariant,
  context: Context,
): Explanation['simulation'] {
  const variants = new Map<string, number>();
  const endsAt = performance.now() + SIMULATION_MS;
  let enabled = 0;
  let users = 0;
  while (users < USERS && performance.now() < endsAt) {
    users += 1;
    const id = `simulated-${users}`;
    const variant = evaluate({ ...context, userId: id, sessionId: id });
    if (variant.feature_enabled) {
      enabled += 1;
      if (variant.enabled) {
        variants.set(variant.name, (variants.get(variant.name) ?? 0) + 1);
      }
    }
  }
  return { users, enabled, variants: Object.fromEntries(variants) };
}
