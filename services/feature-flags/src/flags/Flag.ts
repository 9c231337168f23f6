/** A condition of a strategy; SDKs evaluate it, the service hands it on. */
export interface Constraint {
  readonly contextName: string;
  readonly operator: string;
  readonly values?: string[];
  readonly value?: string;
  readonly inverted?: boolean;
  readonly caseInsensitive?: boolean;
}

/** For whom a flag is on; SDKs know strategies by their names. */
export interface Strategy {
  /** `default`, `gradualRolloutUserId`, `flexibleRollout`, … */
  readonly name: string;
  /** Texts, numbers too: `{percentage: '25', groupId: 'checkout'}`. */
  readonly parameters: Record<string, string>;
  readonly constraints?: Constraint[];
}

/** One of several faces of a flag; SDKs choose by weight. */
export interface Variant {
  readonly name: string;
  /** Out of 1,000 of all variants together. */
  readonly weight: number;
}

/** What somebody decides about a flag; strategies and `enabled` are of one environment. */
export interface FlagSettings {
  readonly description: string;
  /** `release`, `experiment`, `operational`, `kill-switch`, `permission` or any other. */
  readonly type: string;
  readonly enabled: boolean;
  /** Nobody should need it any more. */
  readonly stale: boolean;
  /** Whether SDKs tell their application of each evaluation. */
  readonly impressionData: boolean;
  /** On for whom any of them says so; for everybody where there is none. */
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

/** What tells of a flag before and after a change; what time alone changes is left out. */
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
