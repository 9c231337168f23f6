import { InputError } from '@backstage/errors';
import { z } from 'zod';

/** What is said of a body that is JSON and nothing that has fields. */
export const NO_OBJECT = 'The request body must be a JSON object';

const ARTICLES: Readonly<Record<string, string>> = {
  array: 'an array',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
};

const ZODS_OWN = /^(?:Invalid input|Too small|Too big)/;

/** Writes the path of an issue as `parts[1].id`; it is empty for the value as a whole. */
export function issuePath(issue: z.core.$ZodIssue): string {
  return issue.path
    .map((key, index) =>
      typeof key === 'number'
        ? `[${key}]`
        : `${index > 0 ? '.' : ''}${String(key)}`,
    )
    .join('');
}

function boundOf(
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
): string {
  const bound =
    issue.code === 'too_small'
      ? `at least ${issue.minimum}`
      : `at most ${issue.maximum}`;
  switch (issue.origin) {
    case 'string':
      return issue.code === 'too_small' && Number(issue.minimum) === 1
        ? 'must not be empty'
        : `must have ${bound} characters`;
    case 'array':
    case 'set':
      return `must have ${bound} entries`;
    default:
      return `must be ${bound}`;
  }
}

/** Zod's own texts speak of its types; those of our schemas are kept. */
function wordingOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && ZODS_OWN.test(issue.message)) {
    return `must be ${ARTICLES[issue.expected] ?? `a ${issue.expected}`}`;
  }
  if (
    (issue.code === 'too_small' || issue.code === 'too_big') &&
    ZODS_OWN.test(issue.message)
  ) {
    return boundOf(issue);
  }
  return issue.message;
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
  const reason = wordingOf(issue);
  return path ? `${path}: ${reason}` : reason;
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
    result.error.issues
      .map(issue =>
        issue.code === 'invalid_type' && issue.path.length === 0
          ? NO_OBJECT
          : describeIssue(issue, value),
      )
      .join('; '),
  );
}
