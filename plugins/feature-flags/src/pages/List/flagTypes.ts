/** Types that are offered; the service takes any. */
export const FLAG_TYPES = [
  'release',
  'experiment',
  'operational',
  'kill-switch',
  'permission',
] as const;

export type FlagType = (typeof FLAG_TYPES)[number];

/** Tells whether there are words for a type. */
export function isKnownType(type: string): type is FlagType {
  return (FLAG_TYPES as readonly string[]).includes(type);
}
