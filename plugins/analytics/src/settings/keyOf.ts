import type { Credential } from '../api/EventsApi';

/** Returns the newest project key that can be shown. */
export function keyOf(
  credentials: readonly Credential[] | undefined,
): string | undefined {
  return credentials?.find(({ key }) => key !== undefined)?.key;
}
