/** A flag as the feature-flag service describes it. */
interface Flag {
  readonly name: string;
  readonly description?: string;
  readonly enabled: boolean;
  readonly strategies?: readonly Strategy[];
  readonly variants?: readonly unknown[];
  readonly dependencies?: readonly unknown[];
}

interface Strategy {
  readonly name: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly constraints?: readonly unknown[];
  readonly segments?: readonly unknown[];
  readonly variants?: readonly unknown[];
}

/** A flag as PostHog's SDKs evaluate it themselves. */
export interface FlagDefinition {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly active: boolean;
  /** True if the SDK has to query the service for the value of the flag. */
  readonly ensure_experience_continuity: boolean;
  readonly filters: {
    readonly groups: { properties: unknown[]; rollout_percentage: number }[];
  };
}

/**
 * Describes a flag for SDKs that evaluate flags themselves. PostHog and Unleash choose the
 * people of a rollout by different hashes, and compare properties by different rules. So
 * SDKs only evaluate flags with the same value for everyone, and query the service for
 * others: each person gets one value, wherever a flag is evaluated.
 * @param index - position among the flags, from which its numeric id is derived.
 */
export function defineFlag(flag: Flag, index: number): FlagDefinition {
  const isForAll = flag.enabled && isSame(flag);
  return {
    id: index + 1,
    key: flag.name,
    name: flag.description ?? '',
    active: flag.enabled,
    ensure_experience_continuity: flag.enabled && !isForAll,
    filters: {
      groups: isForAll ? [{ properties: [], rollout_percentage: 100 }] : [],
    },
  };
}

/** Checks whether an enabled flag has the value true for everyone. */
function isSame({
  strategies = [],
  variants = [],
  dependencies = [],
}: Flag): boolean {
  return (
    variants.length === 0 &&
    dependencies.length === 0 &&
    strategies.every(each => (each.variants ?? []).length === 0) &&
    (strategies.length === 0 || strategies.some(includesAll))
  );
}

function includesAll(strategy: Strategy): boolean {
  const { name, parameters = {}, constraints = [], segments = [] } = strategy;
  const { rollout, stickiness = 'default' } = parameters;
  const isForAll =
    name === 'default' ||
    (name === 'flexibleRollout' &&
      String(rollout) === '100' &&
      ['default', 'random', 'userId'].includes(String(stickiness)));
  return isForAll && constraints.length === 0 && segments.length === 0;
}
