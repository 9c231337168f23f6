/** A condition of a rule. */
export interface Constraint {
  contextName: string;
  operator: string;
  values?: readonly string[];
  value?: string;
  inverted?: boolean;
}

/** One of the things that users can get who get a flag. */
export interface Variant {
  name: string;
  /** Its part of 1,000. */
  weight: number;
  /** `fix` for a weight that stays, `variable` for one that shares the rest. */
  weightType?: string;
  /** The context field by which users keep their variant. */
  stickiness?: string;
  payload?: { type: string; value?: string };
  /** Contexts that get the variant regardless of its weight. */
  overrides?: readonly { contextName: string; values: readonly string[] }[];
}

/** A rule that says for whom a flag is on. */
export interface Strategy {
  /** Absent for a rule that was just added. */
  id?: string;
  name: string;
  title?: string | null;
  /** True for a rule that is kept and lets nobody in. */
  disabled?: boolean;
  parameters: Record<string, string>;
  constraints?: readonly Constraint[];
  /** Ids of segments. */
  segments?: readonly number[];
  variants?: readonly Variant[];
}

/** Something in a flag's rules that SDKs cannot evaluate as it was meant. */
export interface FlagProblem {
  /** The path of the field, e.g. `strategies.0.constraints.1.value`. */
  field: string;
  message: string;
}

/** A flag that another flag depends on. */
export interface Dependency {
  /** The name of the parent flag. */
  feature: string;
  /** False if the parent must be off. */
  enabled: boolean;
  /** Variants of the parent, one of which is required; any if there are none. */
  variants?: readonly string[];
}

export interface Tag {
  type: string;
  value: string;
}

/** A web page about a flag. */
export interface FlagLink {
  id: string;
  url: string;
  title?: string;
}

/** A feature flag; times are ISO 8601. */
export interface Flag {
  name: string;
  project: string;
  description: string;
  type: string;
  enabled: boolean;
  stale: boolean;
  strategies: readonly Strategy[];
  variants?: readonly Variant[];
  createdAt: string;
  updatedAt: string;
  archived: boolean;
  /** True if SDKs report each evaluation to their application. */
  impressionData: boolean;
  dependencies?: readonly Dependency[];
  tags?: readonly Tag[];
  links?: readonly FlagLink[];
  problems?: readonly FlagProblem[];
}

/** A flag, and the entity tag of the state that was read. */
export type ReadFlag = Flag & { etag?: string };

/** What tells a flag from others. */
export type FlagName = Pick<Flag, 'name' | 'project'>;

/** What a flag is in one environment. */
export interface FlagEnvironment {
  name: string;
  /** development, production, … */
  type: string;
  /** True where changes have to be approved. */
  protected: boolean;
  enabled: boolean;
  strategies: readonly Strategy[];
  /** Variants for users who match a rule without variants. */
  variants: readonly Variant[];
  problems?: readonly FlagProblem[];
  /** The entity tag of the state that was read. */
  etag: string;
}

/** A state of a flag in an environment, or parts of one, that is not saved. */
export type EnvironmentDraft = Partial<
  Pick<FlagEnvironment, 'enabled' | 'strategies' | 'variants'>
>;

export type EnvironmentChange = EnvironmentDraft & {
  environment: string;
  etag?: string;
};

/** A flag in a list, in all environments. */
export interface ListedFlag extends Pick<
  Flag,
  | 'name'
  | 'project'
  | 'description'
  | 'type'
  | 'stale'
  | 'createdAt'
  | 'updatedAt'
  | 'archived'
> {
  tags: readonly Tag[];
  environments: readonly FlagEnvironment[];
}

/** What somebody may change of a flag. */
export type FlagChanges = Partial<
  Pick<Flag, 'description' | 'type' | 'stale' | 'impressionData'>
>;

/** What a new flag is made of. */
export type NewFlag = Pick<Flag, 'name' | 'description' | 'type'>;
