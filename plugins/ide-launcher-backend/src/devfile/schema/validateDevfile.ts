import { z } from 'zod';
import { DevfileFault, MAX_ISSUES, quote, valueAt } from '../issue';
import { devfileSchema, RawDevfile } from './devfile';
import { checkVersion } from './versions';

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

function describeValue(value: unknown): string {
  if (value === null) {
    return 'empty';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  if (typeof value === 'object') {
    return 'a mapping';
  }
  return typeof value === 'string'
    ? `the text ${quote(value)}`
    : `the ${typeof value} ${String(value)}`;
}

function describeType(expected: string, value: unknown): string {
  if (value === undefined) {
    return 'is required';
  }
  const demand = `must be ${TYPE_NAMES[expected] ?? expected}`;
  const isUnquoted = typeof value === 'number' || typeof value === 'boolean';
  const hint = expected === 'string' && isUnquoted ? '; put it in quotes' : '';
  return `${demand}, and is ${describeValue(value)}${hint}`;
}

function describePattern(pattern: string | undefined, value: unknown): string {
  const source = pattern?.replace(/^\/|\/[a-z]*$/g, '') ?? 'its pattern';
  return typeof value === 'string'
    ? `must match ${source}, and is ${quote(value)}`
    : `must match ${source}`;
}

/**
 * Describes an issue of the schema in one line.
 *
 * @param issue - An issue of zod.
 * @param root - The validated value.
 */
function toFaults(issue: z.core.$ZodIssue, root: unknown): DevfileFault[] {
  const path = issue.path.map(step =>
    typeof step === 'number' ? step : String(step),
  );
  const value = valueAt(root, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map(key => ({
        path: [...path, key],
        message: 'is not a devfile field here',
      }));
    case 'invalid_type':
      return [{ path, message: describeType(issue.expected, value) }];
    case 'invalid_value': {
      const choices = issue.values.map(String).join(', ');
      return [
        {
          path,
          message:
            value === undefined
              ? 'is required'
              : `must be one of ${choices}, and is ${describeValue(value)}`,
        },
      ];
    }
    case 'invalid_format':
      return [{ path, message: describePattern(issue.pattern, value) }];
    case 'too_big':
      return [
        {
          path,
          message:
            issue.origin === 'string'
              ? `must be at most ${issue.maximum} characters long`
              : 'is too large',
        },
      ];
    default:
      return [{ path, message: issue.message }];
  }
}

/** A devfile of valid shape, or its faults. */
type ValidationResult =
  { ok: true; devfile: RawDevfile } | { ok: false; faults: DevfileFault[] };

/**
 * Validates a parsed file against the devfile schema of its version. Reports all faults at once,
 * up to {@link MAX_ISSUES}.
 */
export function validateDevfile(value: unknown): ValidationResult {
  const result = devfileSchema.safeParse(value);
  const faults = [
    ...(result.error?.issues.flatMap(issue => toFaults(issue, value)) ?? []),
    ...checkVersion(value),
  ];
  if (!result.success || faults.length > 0) {
    return { ok: false, faults: faults.slice(0, MAX_ISSUES) };
  }
  return { ok: true, devfile: result.data };
}
