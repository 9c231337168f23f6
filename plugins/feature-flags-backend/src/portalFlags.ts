/** The portal's own flags, with what each is where the service does not say. */
const PORTAL_FLAGS = {
  /** How often flags were asked for, in their list: the costliest question of that page. */
  'portal.flag-usage': true,
} as const satisfies Record<string, boolean>;

type PortalFlagName = keyof typeof PORTAL_FLAGS;

/** The portal's flags as one reader has them: on or off. */
export type PortalFlagValues = Record<PortalFlagName, boolean>;

/** Knows flags; `unleash-client` does. */
export interface FlagSource {
  isEnabled(
    name: string,
    context: { userId: string },
    fallback: boolean,
  ): boolean;
}

/**
 * The flags of one reader.
 *
 * @param userId - entity reference: a rollout to a part of the users goes by it.
 */
export function valuesFor(
  userId: string,
  source: FlagSource | undefined,
): PortalFlagValues {
  const entries = Object.entries(PORTAL_FLAGS).map(([name, fallback]) => [
    name,
    source?.isEnabled(name, { userId }, fallback) ?? fallback,
  ]);
  return Object.fromEntries(entries) as PortalFlagValues;
}
