import type { BuildSummary } from '../api/BuildsApi';

/** Returns the name that a person gave to a build; undefined if it has only its number. */
export function nameOfBuild({
  number,
  displayName,
}: Pick<BuildSummary, 'number' | 'displayName'>): string | undefined {
  return displayName === `#${number}` ? undefined : displayName;
}
