/** The version of lists of flags, to clients and to admins: 2 is what current SDKs expect. */
export const LIST_VERSION = 2;

/** A condition of a strategy; SDKs evaluate it, the service hands it on. */
export interface Constraint {
  readonly contextName: string;
  readonly operator: string;
  readonly values?: string[];
  readonly value?: string;
  readonly inverted?: boolean;
  readonly caseInsensitive?: boolean;
}

/** One of several values of a flag; SDKs choose by weight. */
export interface Variant {
  readonly name: string;
  /** Out of the sum of the weights, which is 1,000 where the service wrote them. */
  readonly weight: number;
  /** `fix` keeps its weight, `variable` shares what is left. */
  readonly weightType?: string;
  /** The context field whose value keeps a user at one variant. */
  readonly stickiness?: string;
  /** `type` is string, json, csv or number; `value` is its text. */
  readonly payload?: { readonly type: string; readonly value?: string };
  /** Contexts that get the variant whatever the weights say. */
  readonly overrides?: {
    readonly contextName: string;
    readonly values: string[];
  }[];
}

/** A rule for whom a flag is on; SDKs know strategies by their names. */
export interface Strategy {
  /** Unique among the flag's strategies. */
  readonly id: string;
  /** `default`, `gradualRolloutUserId`, `flexibleRollout`, … */
  readonly name: string;
  readonly title?: string;
  /** True for a strategy that is kept and lets nobody in. */
  readonly disabled?: boolean;
  /** Texts, numbers too: `{percentage: '25', groupId: 'checkout'}`. */
  readonly parameters: Record<string, string>;
  readonly constraints?: Constraint[];
  /** Ids of segments, whose constraints hold beside its own. */
  readonly segments?: number[];
  /** Take the place of the flag's variants for whom the strategy lets in. */
  readonly variants?: Variant[];
}

/** What a flag is in one environment. */
export interface FlagState {
  readonly enabled: boolean;
  /** The strategies in order. The flag is on where any of them matches, and for everybody without one. */
  readonly strategies: Strategy[];
  readonly variants: Variant[];
}

/** A flag that another one needs: it is off wherever that one is not as named. */
export interface Dependency {
  /** The parent's name. */
  readonly feature: string;
  /** False for a parent that must be off. */
  readonly enabled: boolean;
  /** Variants of the parent, any of which will do; only with `enabled`. */
  readonly variants?: string[];
}

export interface Tag {
  readonly type: string;
  readonly value: string;
}

export interface Link {
  readonly id: string;
  readonly url: string;
  readonly title?: string;
}

/** What people set of a flag that is the same in all environments. */
export interface FlagTraits {
  readonly description: string;
  /** `release`, `experiment`, `operational`, `kill-switch`, `permission` or any other. */
  readonly type: string;
  /** True for a flag that nobody should need any more. */
  readonly stale: boolean;
  /** Has SDKs tell their application of each evaluation. */
  readonly impressionData: boolean;
  readonly dependencies: Dependency[];
  readonly tags: Tag[];
  readonly links: Link[];
}

/** A flag as one environment has it. */
export type FlagSettings = FlagTraits & FlagState;

/** A feature flag. Times are milliseconds since the Unix epoch. */
export interface Flag extends FlagTraits {
  readonly name: string;
  readonly project: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Null while it is in use. */
  readonly archivedAt: number | null;
  /** The state by environment; an environment without one is off. */
  readonly states: Readonly<Record<string, FlagState>>;
  /** The revisions of the latest change: to anything, to what environments share, to each state. */
  readonly revisions: {
    readonly latest: number;
    readonly shared: number;
    readonly states: Readonly<Record<string, number>>;
  };
}

const OFF: FlagState = { enabled: false, strategies: [], variants: [] };

export function stateOf(flag: Flag, environment: string): FlagState {
  return Object.hasOwn(flag.states, environment)
    ? flag.states[environment]
    : OFF;
}

/** Reads the revision of the latest change that one environment sees. */
export function revisionOf(
  { revisions }: Pick<Flag, 'revisions'>,
  environment: string,
): number {
  const { shared, states } = revisions;
  return Object.hasOwn(states, environment)
    ? Math.max(shared, states[environment])
    : shared;
}

/** Changes a flag in one environment. */
export function withState(
  flag: Flag,
  environment: string,
  changes: Partial<FlagState>,
): Flag {
  const state = { ...stateOf(flag, environment), ...changes };
  return { ...flag, states: { ...flag.states, [environment]: state } };
}

export function traitsOf(flag: FlagTraits): FlagTraits {
  const { description, type, stale, impressionData } = flag;
  const { dependencies, tags, links } = flag;
  return {
    description,
    type,
    stale,
    impressionData,
    dependencies,
    tags,
    links,
  };
}

/** Picks what describes a flag before and after a change; what time alone changes is left out. */
export function settingsOf(flag: Flag, environment: string): FlagSettings {
  return { ...traitsOf(flag), ...stateOf(flag, environment) };
}
