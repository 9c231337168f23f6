import { InputError } from '@backstage/errors';
import { z } from 'zod';

/** Where an issue is: `parts[1].id`; empty for the value as a whole. */
export function issuePath(issue: z.core.$ZodIssue): string {
  return issue.path
    .map((key, index) =>
      typeof key === 'number'
        ? `[${key}]`
        : `${index > 0 ? '.' : ''}${String(key)}`,
    )
    .join('');
}

/** Says what is wrong with a parsed value, naming the field: `name is required`. */
export function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const path = issuePath(issue);
  const missing =
    issue.code === 'invalid_type' &&
    issue.path.reduce<unknown>(
      (node, key) => (node as Record<PropertyKey, unknown> | undefined)?.[key],
      value,
    ) === undefined;
  if (missing && path) {
    return `${path} is required`;
  }
  return path ? `${path}: ${issue.message}` : issue.message;
}

/**
 * Parses what came over the wire with its schema.
 *
 * @throws InputError naming each field at fault, e.g. `devfileUrl is required`.
 */
export function parseInput<T extends z.ZodType>(
  schema: T,
  value: unknown,
): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  throw new InputError(
    result.error.issues.map(issue => describeIssue(issue, value)).join('; '),
  );
}
