/** The `version` of flag lists that current SDKs expect. */
export const LIST_VERSION = 2;

/** A condition of a strategy, evaluated by SDKs. */
export interface Constraint {
  readonly contextName: string;
  readonly operator: string;
  readonly values?: string[];
  readonly value?: string;
  readonly inverted?: boolean;
  readonly caseInsensitive?: boolean;
}

/** One of several values of a flag, which SDKs choose by weight. */
export interface Variant {
  readonly name: string;
  /** Relative to the sum of the weights, usually 1,000. */
  readonly weight: number;
  /** `fix` keeps its weight, `variable` shares the rest. */
  readonly weightType?: string;
  /** The context field that is hashed, so that a user always gets the same variant. */
  readonly stickiness?: string;
  /** `type` is string, json, csv or number; `value` is its text. */
  readonly payload?: { readonly type: string; readonly value?: string };
  /** Contexts that get the variant regardless of the weights. */
  readonly overrides?: {
    readonly contextName: string;
    readonly values: string[];
  }[];
}

/** A rule that decides who gets a flag; SDKs implement strategies by name. */
export interface Strategy {
  /** Unique among the flag's strategies. */
  readonly id: string;
  /** `default`, `gradualRolloutUserId`, `flexibleRollout`, … */
  readonly name: string;
  readonly title?: string;
  /** True for a strategy that is kept but matches no one. */
  readonly disabled?: boolean;
  /** Strings, even for numbers: `{percentage: '25', groupId: 'checkout'}`. */
  readonly parameters: Record<string, string>;
  readonly constraints?: Constraint[];
  /** Ids of segments, whose constraints apply in addition to its own. */
  readonly segments?: number[];
  /** Variants for users who match the strategy, instead of those of the flag. */
  readonly variants?: Variant[];
}

/** The parameter with the percentage, by the name of a strategy that has one. */
export const SHARE_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['flexibleRollout', 'rollout'],
  ['gradualRolloutUserId', 'percentage'],
  ['gradualRolloutSessionId', 'percentage'],
  ['gradualRolloutRandom', 'percentage'],
]);

/** The titles of the strategies that SDKs implement, by name; applications may implement others. */
export const STRATEGY_TITLES: ReadonlyMap<string, string> = new Map([
  ['default', 'Everyone'],
  ['flexibleRollout', 'Gradual rollout'],
  ['gradualRolloutUserId', 'Gradual rollout by user'],
  ['gradualRolloutSessionId', 'Gradual rollout by session'],
  ['gradualRolloutRandom', 'Random rollout'],
  ['userWithId', 'Users by id'],
  ['remoteAddress', 'IP addresses'],
  ['applicationHostname', 'Hosts'],
]);

/** Named constraints that strategies share. Times are milliseconds since the Unix epoch. */
export interface Segment {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The project it belongs to; null for all projects. */
  readonly project: string | null;
  readonly constraints: Constraint[];
  readonly createdBy: string;
  readonly createdAt: number;
  /** The revision of its latest change. */
  readonly revision: number;
}

/** A segment in the SDKs' format. */
export type ClientSegment = Pick<Segment, 'id' | 'name' | 'constraints'>;

/** The state of a flag in one environment. */
export interface FlagState {
  readonly enabled: boolean;
  /** The rules, in their order. An enabled flag is on if any of them matches, or for everyone if there are none. */
  readonly strategies: Strategy[];
  readonly variants: Variant[];
}

/** A condition on a parent flag; the dependent flag is off unless it is met. */
export interface Dependency {
  /** The parent's name. */
  readonly feature: string;
  /** False for a parent that must be off. */
  readonly enabled: boolean;
  /** Variants of the parent, one of which is required; only with `enabled`. */
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

/** The settings of a flag that all environments share. */
export interface FlagTraits {
  readonly description: string;
  /** `release`, `experiment`, `operational`, `kill-switch`, `permission` or any other. */
  readonly type: string;
  /** True for a flag that is no longer needed. */
  readonly stale: boolean;
  /** True if SDKs report each evaluation to their application. */
  readonly impressionData: boolean;
  readonly dependencies: Dependency[];
  readonly tags: Tag[];
  readonly links: Link[];
}

/** The default settings of a new flag. */
export const NEW_TRAITS: FlagTraits = {
  description: '',
  type: 'release',
  stale: false,
  impressionData: false,
  dependencies: [],
  tags: [],
  links: [],
};

/** The settings of a flag in one environment. */
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
  /** The revisions of the latest changes: of anything, of shared settings, and of each state. */
  readonly revisions: {
    readonly latest: number;
    readonly shared: number;
    readonly states: Readonly<Record<string, number>>;
    /** The revisions at which it left its earlier projects, by project; none by default. */
    readonly left?: Readonly<Record<string, number>>;
  };
}

const OFF: FlagState = { enabled: false, strategies: [], variants: [] };

export function stateOf(flag: Flag, environment: string): FlagState {
  return Object.hasOwn(flag.states, environment)
    ? flag.states[environment]
    : OFF;
}

/** Returns the revision of the latest change that is visible in an environment. */
export function revisionOf(
  { revisions }: Pick<Flag, 'revisions'>,
  environment: string,
): number {
  const { shared, states } = revisions;
  return Object.hasOwn(states, environment)
    ? Math.max(shared, states[environment])
    : shared;
}

/** Returns a copy of a flag with a changed state in one environment. */
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

/** Returns the settings of a flag in one environment, as the history records them. */
export function settingsOf(flag: Flag, environment: string): FlagSettings {
  return { ...traitsOf(flag), ...stateOf(flag, environment) };
}
