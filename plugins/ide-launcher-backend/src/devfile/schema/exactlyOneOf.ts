import { z } from 'zod';

function describe(present: string[], keys: readonly string[]): string {
  const choices = keys.join(', ');
  return present.length === 0
    ? `must have one of ${choices}`
    : `must have only one of ${choices}, but has ${present.join(' and ')}`;
}

/**
 * Demands exactly one of some keys. JSON Schema's `oneOf` reports every branch
 * that failed; this says the one thing that is wrong, also where other fields
 * are at fault as well.
 */
export function exactlyOneOf<T extends z.ZodType>(
  schema: T,
  keys: readonly string[],
): T {
  const present = (value: unknown) =>
    typeof value === 'object' && value !== null
      ? keys.filter(key => Object.hasOwn(value, key))
      : null;
  return schema.refine(value => (present(value)?.length ?? 1) === 1, {
    error: issue => describe(present(issue.input) ?? [], keys),
    when: () => true,
  });
}
