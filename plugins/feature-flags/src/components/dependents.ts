import type { Dependency } from '../api/flags';

/** Returns the names of flags that depend on any of these, which are archived together. */
export function dependentsOf(
  archived: readonly string[],
  flags: readonly { name: string; dependencies: readonly Dependency[] }[],
): string[] {
  return flags
    .filter(
      ({ name, dependencies }) =>
        !archived.includes(name) &&
        dependencies.some(({ feature }) => archived.includes(feature)),
    )
    .map(({ name }) => name);
}
