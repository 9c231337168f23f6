/** The source of flags, which `unleash-client` implements. */
export interface FlagSource {
  isEnabled(name: string, context: FlagContext): boolean;
  /** Undefined for a flag that does not exist. */
  getFeatureToggleDefinition(name: string): unknown;
}

/** The context in which the portal's flags are evaluated. */
export type FlagContext = {
  /** Entity reference; percentage rollouts are based on it. */
  userId: string;
  properties: {
    /** Entity references of the user and of their groups, separated by commas. */
    groups: string;
  };
};

/** Evaluates flags for one user; those that do not exist are left out. */
export function evaluateFlags(
  names: readonly string[],
  context: FlagContext,
  source: FlagSource | undefined,
): Record<string, boolean> {
  return Object.fromEntries(
    names
      .filter(name => source?.getFeatureToggleDefinition(name) !== undefined)
      .map(name => [name, source?.isEnabled(name, context) ?? false]),
  );
}
