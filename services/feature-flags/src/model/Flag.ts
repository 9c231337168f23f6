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

/** A rule for whom a flag is on; SDKs know strategies by their names. */
export interface Strategy {
  /** `default`, `gradualRolloutUserId`, `flexibleRollout`, … */
  readonly name: string;
  /** Texts, numbers too: `{percentage: '25', groupId: 'checkout'}`. */
  readonly parameters: Record<string, string>;
  readonly constraints?: Constraint[];
}

/** One of several values of a flag; SDKs choose by weight. */
export interface Variant {
  readonly name: string;
  /** Out of 1,000 of all variants together. */
  readonly weight: number;
}

/** The settings of a flag that people change; strategies and `enabled` are of one environment. */
export interface FlagSettings {
  readonly description: string;
  /** `release`, `experiment`, `operational`, `kill-switch`, `permission` or any other. */
  readonly type: string;
  readonly enabled: boolean;
  /** True for a flag that nobody should need any more. */
  readonly stale: boolean;
  /** Has SDKs tell their application of each evaluation. */
  readonly impressionData: boolean;
  /** The flag is on for whom any of them says so, and for everybody where there is none. */
  readonly strategies: Strategy[];
  readonly variants: Variant[];
}

/** A feature flag. Times are milliseconds since the Unix epoch. */
export interface Flag extends FlagSettings {
  readonly name: string;
  readonly project: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Null while it is in use. */
  readonly archivedAt: number | null;
}

/** Picks what describes a flag before and after a change; what time alone changes is left out. */
export function settingsOf(flag: Flag): FlagSettings {
  const {
    description,
    type,
    enabled,
    stale,
    impressionData,
    strategies,
    variants,
  } = flag;
  return {
    description,
    type,
    enabled,
    stale,
    impressionData,
    strategies,
    variants,
  };
}
