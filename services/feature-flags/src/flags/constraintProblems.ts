import { createRequire } from 'node:module';
import { BlockList, isIP } from 'node:net';
import { parseInstant } from '@slipway/service-kit';
import { parse as parseVersion } from 'semver';
import type { Constraint } from '../model/Flag.ts';
import { expressionSize } from './expressionSize.ts';

/** A part of a rule that SDKs cannot evaluate as written. */
export interface RuleProblem {
  /** The path of the field, e.g. `strategies.0.constraints.1.value`. */
  readonly field: string;
  readonly message: string;
}

/** Finds constraints that SDKs cannot evaluate as written. */
export function constraintProblems(
  constraints: readonly Constraint[] = [],
  path = 'constraints',
): RuleProblem[] {
  return constraints.flatMap((constraint, index) => {
    const problem = problemOf(constraint);
    return problem
      ? [
          {
            field: `${path}.${index}.${problem.field}`,
            message: problem.message,
          },
        ]
      : [];
  });
}

interface OperandProblem {
  readonly field: keyof Constraint;
  readonly message: string;
  /** The users whom the constraint matches as a result, before inversion; null if the context decides. */
  readonly matches: 'nobody' | 'everyone' | null;
}

/** Validates the operand of each operator, as Unleash's SDKs require it. */
const OPERANDS: Readonly<
  Record<string, (constraint: Constraint) => OperandProblem | undefined>
> = {
  ...forEach(['IN', 'NOT_IN'], () => undefined),
  ...forEach(
    ['STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS'],
    () => undefined,
  ),
  ...forEach(
    ['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'],
    numberProblem,
  ),
  ...forEach(['DATE_AFTER', 'DATE_BEFORE'], dateProblem),
  ...forEach(
    ['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE'],
    ({ value }) =>
      isVersion(value)
        ? undefined
        : wrong('value', 'is not a version such as 1.2.3'),
  ),
  ...forEach(['REGEX'], expressionProblem),
  ...forEach(['IN_CIDR'], ({ values = [] }) =>
    values.some(isAddressRange)
      ? undefined
      : wrong('values', 'contain no IP address or CIDR range'),
  ),
};

/** Finds the problem of a constraint, and describes who it matches as a result. */
function problemOf(constraint: Constraint): RuleProblem | undefined {
  const { operator, inverted } = constraint;
  const isKnown = Object.hasOwn(OPERANDS, operator);
  const problem = isKnown
    ? OPERANDS[operator](constraint)
    : wrong('operator', 'is not an operator that SDKs know');
  if (!problem) {
    return undefined;
  }
  const { field, message, matches } = problem;
  if (matches === null) {
    return { field, message };
  }
  // SDKs never invert an unknown operator.
  const isAll = (matches === 'everyone') !== Boolean(isKnown && inverted);
  const whom = isAll ? 'everyone' : 'nobody';
  return { field, message: `${message}: it matches ${whom}` };
}

/** Maximum size of an expression: applications and this service take too long to compile a larger one. */
const MAX_EXPRESSION = 1_000;

function expressionProblem(constraint: Constraint): OperandProblem | undefined {
  const { value } = constraint;
  if (isLarge(constraint)) {
    return wrong('value', 'is an expression that slows applications', null);
  }
  return value !== undefined && isExpression(value)
    ? undefined
    : wrong('value', 'is not a regular expression in RE2 syntax');
}

/** Checks whether a constraint has an expression that is too large. */
export function isLarge({ operator, value = '' }: Constraint): boolean {
  return operator === 'REGEX' && expressionSize(value) > MAX_EXPRESSION;
}

/** SDKs parse an empty string as 0, and numbers that are too large as infinity. */
function numberProblem({
  operator,
  value,
}: Constraint): OperandProblem | undefined {
  const number = value === undefined ? NaN : Number(value);
  if (Number.isNaN(number)) {
    return wrong('value', 'is not a number');
  }
  if (value?.trim() === '') {
    return wrong('value', 'is empty, which SDKs take for 0', null);
  }
  if (Number.isFinite(number)) {
    return undefined;
  }
  const matching = number > 0 ? 'NUM_LT' : 'NUM_GT';
  return wrong(
    'value',
    'is larger than any number that SDKs know',
    operator.startsWith(matching) ? 'everyone' : 'nobody',
  );
}

/** Matches a time after a date, without a zone at the end. */
const LOCAL_TIME = /[T ][\d:.,]+$/i;

function dateProblem({ value }: Constraint): OperandProblem | undefined {
  if (!isDate(value)) {
    return wrong('value', 'is not an ISO 8601 date');
  }
  return value !== undefined && LOCAL_TIME.test(value)
    ? wrong(
        'value',
        'has no time zone, such as Z or +02:00: each application reads it in its own',
        null,
      )
    : undefined;
}

function wrong(
  field: keyof Constraint,
  message: string,
  matches: OperandProblem['matches'] = 'nobody',
): OperandProblem {
  return { field, message: `The ${field} ${message}`, matches };
}

function forEach<T>(names: readonly string[], value: T): Record<string, T> {
  return Object.fromEntries(names.map(name => [name, value]));
}

function isDate(value: string | undefined): boolean {
  return (
    value !== undefined &&
    (parseInstant(value) !== undefined ||
      parseInstant(`${value}T00:00:00Z`) !== undefined)
  );
}

function isVersion(value: string | undefined): boolean {
  return /^\d/.test(value ?? '') && parseVersion(value) !== null;
}

const require = createRequire(import.meta.url);

function isExpression(value: string): boolean {
  // Loaded on first use because it is large, and in the same form as by the SDK's evaluator.
  const { RE2JS } = require('re2js') as typeof import('re2js');
  try {
    RE2JS.compile(value);
    return true;
  } catch {
    return false;
  }
}

function isAddressRange(value: string): boolean {
  const [address, prefix, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) {
    return false;
  }
  try {
    const kind = family === 4 ? 'ipv4' : 'ipv6';
    new BlockList().addSubnet(address, Number(prefix ?? 0), kind);
    return prefix === undefined || /^\d{1,3}$/.test(prefix);
  } catch {
    return false;
  }
}
