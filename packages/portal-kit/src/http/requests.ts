import { InputError } from '@backstage/errors';
import { json, RequestHandler } from 'express';
import { z } from 'zod';

/** The message for a body that is JSON but not an object. */
const NO_OBJECT = 'The request body must be a JSON object';

const ARTICLES: Readonly<Record<string, string>> = {
  array: 'an array',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
};

const ZODS_OWN = /^(?:Invalid input|Too small|Too big)/;

/** Formats the path of an issue, e.g. `parts[1].id`; empty for the value as a whole. */
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

/** Returns the message of an issue: our schemas' own, or a replacement of Zod's, which name its types. */
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

/** Describes an issue with a parsed value, naming the field: `name is required`. */
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
 * Parses input with its schema.
 *
 * @throws InputError naming each invalid field, e.g. `devfileUrl is required`.
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

/** Schema of a catalog namespace's name in the path of a request. */
export const namespaceNameSchema = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9_.-]{0,61}[a-z0-9])?$/,
    'must be a namespace of the catalog, in lower case',
  );

/** Group A's limit on a request body. */
const BODY_LIMIT_BYTES = 1024 * 1024;

const requireJson: RequestHandler = (req, _res, next) => {
  // Leave a missing body to the schema, whose error names the missing field.
  const empty = req.headers['content-length'] === '0';
  if (!empty && req.is('application/json') === false) {
    next(new InputError('Content-Type must be application/json'));
  } else {
    next();
  }
};

/**
 * Rejects numbers and other scalars, which are valid JSON but never a valid body; leaves arrays to the
 * schema.
 */
const requireStructure: RequestHandler = (req, _res, next) => {
  const structured = typeof req.body === 'object' && req.body !== null;
  next(structured ? undefined : new InputError(NO_OBJECT));
};

/**
 * Parses a JSON body of at most 1 MiB: 400 for another media type or malformed JSON, 413 above the
 * limit.
 */
export function jsonBody(): RequestHandler[] {
  return [
    requireJson,
    json({ limit: BODY_LIMIT_BYTES, strict: false }),
    requireStructure,
  ];
}

/**
 * Responds with 405 and `Allow`; register it after all methods of a path: `router.all(path,
 * methodNotAllowed('GET', 'POST'))`.
 */
export function methodNotAllowed(...allowed: string[]): RequestHandler {
  const allow = allowed.join(', ');
  return (req, res) => {
    res
      .status(405)
      .set('Allow', allow)
      .json({ error: `${req.method} is not allowed here; use ${allow}` });
  };
}
