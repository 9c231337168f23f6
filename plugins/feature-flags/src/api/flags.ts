/** A condition of a rule. */
export interface Constraint {
  contextName: string;
  operator: string;
  values?: readonly string[];
  value?: string;
  inverted?: boolean;
  caseInsensitive?: boolean;
}

/** One of several values that users of a flag can get. */
export interface Variant {
  name: string;
  /** Its share of 1,000. */
  weight: number;
  /** `fix` keeps its weight, `variable` shares the rest. */
  weightType?: string;
  /** The context field that is hashed, so that a user always gets the same variant. */
  stickiness?: string;
  payload?: { type: string; value?: string };
  /** Contexts that get the variant regardless of its weight. */
  overrides?: readonly { contextName: string; values: readonly string[] }[];
}

/** A rule that decides who gets a flag. */
export interface Strategy {
  /** Undefined for a new rule. */
  id?: string;
  name: string;
  title?: string | null;
  /** True for a rule that is kept but matches no one. */
  disabled?: boolean;
  parameters: Record<string, string>;
  constraints?: readonly Constraint[];
  /** Ids of segments. */
  segments?: readonly number[];
  variants?: readonly Variant[];
}

/** A part of a rule that SDKs cannot evaluate as written. */
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

/** Identifies a flag. */
export type FlagName = Pick<Flag, 'name' | 'project'>;

/** The state of a flag in one environment. */
export interface FlagEnvironment {
  name: string;
  /** development, production, … */
  type: string;
  /** True if changes need approval. */
  protected: boolean;
  enabled: boolean;
  strategies: readonly Strategy[];
  /** Variants for users who match a rule without variants. */
  variants: readonly Variant[];
  problems?: readonly FlagProblem[];
  /** The entity tag of the state that was read. */
  etag: string;
}

/** The rules and variants of a flag in one environment. */
export type Rules = Pick<FlagEnvironment, 'strategies' | 'variants'>;

/** An unsaved state of a flag in an environment, or parts of one. */
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
  dependencies: readonly Dependency[];
  tags: readonly Tag[];
  environments: readonly FlagEnvironment[];
}

/** The settings of a flag to change. */
export type FlagChanges = Partial<
  Pick<Flag, 'description' | 'type' | 'stale' | 'impressionData'>
>;

/** A flag to create. */
export type NewFlag = Pick<Flag, 'name' | 'description' | 'type' | 'project'>;

/** Path of a flag in an environment. */
export function environmentPath(flag: FlagName, environment: string): string {
  return `${projectPath(flag)}/environments/${encodeURIComponent(environment)}`;
}

/** Path of a flag in its project. */
export function projectPath(flag: FlagName): string {
  return `/projects/${encodeURIComponent(flag.project)}${featurePath(flag.name)}`;
}

/** Path of a flag for calls that need no project. */
export function featurePath(name: string): string {
  return `/features/${encodeURIComponent(name)}`;
}
