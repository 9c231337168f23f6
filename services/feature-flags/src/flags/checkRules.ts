import { BlockList, isIP } from 'node:net';
import { InvalidRequestError, parseInstant } from '@slipway/service-kit';
import { RE2JS } from 're2js';
import { parse as parseVersion } from 'semver';
import type { Constraint, FlagSettings, Strategy } from '../model/Flag.ts';

/** The parameter of each strategy that says how many of a hundred get the flag. */
const SHARES: Readonly<Record<string, string>> = {
  gradualRolloutUserId: 'percentage',
  gradualRolloutSessionId: 'percentage',
  gradualRolloutRandom: 'percentage',
  flexibleRollout: 'rollout',
};

const WHOLE_PERCENT = /^(100|\d{1,2})$/;

/**
 * Refuses strategies and variants that SDKs would silently take for something else, such as
 * a share of 0 or 100.
 *
 * @throws InvalidRequestError naming the field.
 */
export function checkRules(
  settings: Partial<Pick<FlagSettings, 'strategies' | 'variants'>>,
): void {
  settings.strategies?.forEach(checkShare);
  const names = new Set<string>();
  settings.variants?.forEach(({ name }, index) => {
    if (names.has(name)) {
      const field = `variants.${index}.name`;
      throw new InvalidRequestError(`${field} is the name of two variants`, {
        field,
        constraint: 'unique',
      });
    }
    names.add(name);
  });
}

function checkShare({ name, parameters }: Strategy, index: number): void {
  const share = Object.hasOwn(SHARES, name) ? SHARES[name] : undefined;
  if (share === undefined) {
    return;
  }
  const field = `strategies.${index}.parameters.${share}`;
  const value = parameters[share];
  if (value === undefined) {
    throw new InvalidRequestError(`${field} is required by ${name}`, {
      field,
      constraint: 'required',
    });
  }
  if (!WHOLE_PERCENT.test(value)) {
    throw new InvalidRequestError(
      `${field} must be a whole number from 0 to 100, as text`,
      { field, constraint: 'format' },
    );
  }
}

/** Something in a flag that SDKs cannot evaluate as its author meant it. */
export interface RuleProblem {
  /** The path of the field, e.g. `strategies.0.constraints.1.value`. */
  readonly field: string;
  readonly message: string;
}

/**
 * Finds constraints that SDKs cannot evaluate, and variants that nobody gets. Such rules
 * are stored as they are sent: other platforms export them, and SDKs agree on what they mean.
 */
export function findProblems({
  strategies,
  variants,
}: Pick<FlagSettings, 'strategies' | 'variants'>): RuleProblem[] {
  const ofConstraints = strategies.flatMap(({ constraints = [] }, strategy) =>
    constraints.flatMap((constraint, index) => {
      const problem = problemOf(constraint);
      return problem
        ? [
            {
              field: `strategies.${strategy}.constraints.${index}.${problem.field}`,
              message: `${problem.message}: it matches ${whomBroken(constraint)}`,
            },
          ]
        : [];
    }),
  );
  const isWeightless =
    variants.length > 0 && variants.every(({ weight }) => weight === 0);
  return isWeightless
    ? [
        ...ofConstraints,
        {
          field: 'variants',
          message: 'No variant has a weight: nobody gets one',
        },
      ]
    : ofConstraints;
}

type ConstraintProblem = { field: keyof Constraint; message: string };

/** What the operand of each operator must be, as the SDKs of Unleash evaluate it. */
const OPERANDS: Readonly<
  Record<string, (constraint: Constraint) => ConstraintProblem | undefined>
> = {
  ...forEach(['IN', 'NOT_IN'], () => undefined),
  ...forEach(
    ['STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS'],
    () => undefined,
  ),
  ...forEach(
    ['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'],
    ({ value }) =>
      isNumber(value) ? undefined : wrong('value', 'is not a number'),
  ),
  ...forEach(['DATE_AFTER', 'DATE_BEFORE'], ({ value }) =>
    isDate(value) ? undefined : wrong('value', 'is not an ISO 8601 date'),
  ),
  ...forEach(
    ['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE'],
    ({ value }) =>
      isVersion(value)
        ? undefined
        : wrong('value', 'is not a version such as 1.2.3'),
  ),
  ...forEach(['REGEX'], ({ value }) =>
    isExpression(value)
      ? undefined
      : wrong('value', 'is not a regular expression in RE2 syntax'),
  ),
  ...forEach(['IN_CIDR'], ({ values = [] }) =>
    values.some(isAddressRange)
      ? undefined
      : wrong('values', 'holds no IP address or CIDR range'),
  ),
};

function problemOf(constraint: Constraint): ConstraintProblem | undefined {
  const { operator } = constraint;
  return Object.hasOwn(OPERANDS, operator)
    ? OPERANDS[operator](constraint)
    : wrong('operator', 'is not an operator that SDKs know');
}

/** SDKs take a broken operand for no match, and then invert; an unknown operator is never inverted. */
function whomBroken({ operator, inverted }: Constraint): string {
  return inverted && Object.hasOwn(OPERANDS, operator) ? 'everybody' : 'nobody';
}

function wrong(field: keyof Constraint, message: string): ConstraintProblem {
  return { field, message: `The ${field} ${message}` };
}

function forEach<T>(names: readonly string[], value: T): Record<string, T> {
  return Object.fromEntries(names.map(name => [name, value]));
}

function isNumber(value: string | undefined): boolean {
  return Boolean(value?.trim()) && Number.isFinite(Number(value));
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

function isExpression(value: string | undefined): boolean {
  try {
    RE2JS.compile(value ?? '');
    return value !== undefined;
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
