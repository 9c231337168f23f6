import type { Findings } from './Findings.ts';

/**
 * Notes an error for every key that a list of an import contains more than once: to choose one of the
 * entries would be a guess.
 *
 * @param field - the list as the source names it, e.g. `contextFields`.
 * @param key - the field that must be unique, e.g. `name`.
 */
export function noteRepeated(
  findings: Findings,
  { field, key }: { field: string; key: string },
  values: readonly (string | number)[],
): void {
  const seen = new Set<string | number>();
  for (const value of values) {
    if (seen.has(value)) {
      findings.error(
        `${field} must not contain the same ${key} twice`,
        String(value),
      );
    }
    seen.add(value);
  }
}
