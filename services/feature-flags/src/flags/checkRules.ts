import { isDeepStrictEqual } from 'node:util';
import { InvalidRequestError } from '@slipway/service-kit';
import {
  type Constraint,
  type Flag,
  type FlagState,
  SHARE_PARAMETERS,
  stateOf,
  type Strategy,
  type Variant,
} from '../model/Flag.ts';
import type { LegalValues } from '../model/Registers.ts';
import {
  constraintProblems,
  isLarge,
  type RuleProblem,
} from './constraintProblems.ts';
import { dependencyProblems, type KnownParents } from './dependencyProblems.ts';

const WHOLE_PERCENT = /^(100|\d{1,2})$/;

/**
 * Rejects strategies and variants that SDKs would silently misinterpret, e.g. as a percentage
 * of 0 or 100.
 *
 * @throws InvalidRequestError naming the field.
 */
function checkRules({
  strategies,
  variants,
}: Partial<Pick<FlagState, 'strategies' | 'variants'>>): void {
  strategies?.forEach((strategy, index) => {
    const path = `strategies.${index}`;
    checkShare(strategy, path);
    checkNames(strategy.variants, `${path}.variants`);
  });
  checkNames(variants, 'variants');
}

function checkNames(variants: readonly Variant[] = [], path: string): void {
  const names = new Set<string>();
  variants.forEach(({ name }, index) => {
    if (names.has(name)) {
      const field = `${path}.${index}.name`;
      throw new InvalidRequestError(`${field} is used by two variants`, {
        field,
        constraint: 'unique',
      });
    }
    names.add(name);
  });
}

/**
 * Rejects constraints with values that are not legal for their context field, or with expressions
 * that would slow applications down.
 *
 * @throws InvalidRequestError naming the field.
 */
export function checkConstraints(
  constraints: readonly Constraint[],
  options: {
    legalValues: LegalValues;
    path: string;
    /** Selects the constraints to check. */
    isNew?: (constraint: Constraint) => boolean;
  },
): void {
  const { legalValues, path, isNew = () => true } = options;
  constraints.forEach((constraint, index) => {
    if (!isNew(constraint)) {
      return;
    }
    if (isLarge(constraint)) {
      const field = `${path}.${index}.value`;
      throw new InvalidRequestError(
        `${field} must be a smaller expression: with all repetitions, it has too many parts`,
        { field, constraint: 'maxLength' },
      );
    }
    const legal = legalValues.get(constraint.contextName);
    if (!legal) {
      return;
    }
    const { value, values = [] } = constraint;
    const wrong = [...values, ...(value === undefined ? [] : [value])].find(
      each => !legal.includes(each),
    );
    if (wrong !== undefined) {
      const field = `${path}.${index}.${values.includes(wrong) ? 'values' : 'value'}`;
      throw new InvalidRequestError(
        `${field} must be legal values of ${constraint.contextName}: ${legal.join(', ')}`,
        { field, constraint: 'enum' },
      );
    }
  });
}

function checkShare({ name, parameters }: Strategy, path: string): void {
  const share = SHARE_PARAMETERS.get(name);
  if (share === undefined) {
    return;
  }
  const field = `${path}.parameters.${share}`;
  const value = parameters[share];
  if (value === undefined) {
    throw new InvalidRequestError(`${field} is required by ${name}`, {
      field,
      constraint: 'required',
    });
  }
  if (!WHOLE_PERCENT.test(value)) {
    throw new InvalidRequestError(
      `${field} must be a whole number from 0 to 100, as a string`,
      { field, constraint: 'format' },
    );
  }
}

/** Looks up the flags and segments that rules refer to. */
export interface KnownThings extends KnownParents {
  isSegment(id: number): boolean;
}

/**
 * Finds rules that SDKs cannot evaluate as written, and variants that no one gets. Such rules are
 * stored as sent, because other platforms export them and SDKs agree on their meaning.
 */
export function findProblems(
  flag: Flag,
  environment: string,
  known: KnownThings,
): RuleProblem[] {
  return [
    ...stateProblems(stateOf(flag, environment), known),
    ...dependencyProblems(flag, known),
  ];
}

/** Finds the problems of a flag in one environment, without those of its parents. */
export function stateProblems(
  { enabled, strategies, variants }: FlagState,
  known: KnownThings,
): RuleProblem[] {
  const isAllDisabled =
    enabled &&
    strategies.length > 0 &&
    strategies.every(({ disabled }) => disabled);
  return [
    ...strategies.flatMap((strategy, index) =>
      strategyProblems(strategy, `strategies.${index}`, known),
    ),
    ...variantProblems(variants, 'variants'),
    ...(isAllDisabled
      ? [
          {
            field: 'strategies',
            message: 'All strategies are disabled: the flag is off',
          },
        ]
      : []),
  ];
}

function strategyProblems(
  { constraints, segments = [], variants = [] }: Strategy,
  path: string,
  { isSegment }: KnownThings,
): RuleProblem[] {
  return [
    ...constraintProblems(constraints, `${path}.constraints`),
    ...segments.flatMap((id, index) =>
      isSegment(id)
        ? []
        : [
            {
              field: `${path}.segments.${index}`,
              message: `Segment ${id} does not exist: the strategy matches nobody`,
            },
          ],
    ),
    ...variantProblems(variants, `${path}.variants`),
  ];
}

function variantProblems(
  variants: readonly Variant[],
  path: string,
): RuleProblem[] {
  const isWeightless =
    variants.length > 0 && variants.every(({ weight }) => weight === 0);
  return [
    ...variants.flatMap(({ payload }, index) =>
      payload && !isPayload(payload)
        ? [
            {
              field: `${path}.${index}.payload.value`,
              message: `The value is not of the type ${payload.type}`,
            },
          ]
        : [],
    ),
    ...(isWeightless
      ? [{ field: path, message: 'No variant has a weight: nobody gets one' }]
      : []),
  ];
}

function isPayload({ type, value }: NonNullable<Variant['payload']>): boolean {
  if (value === undefined) {
    return true;
  }
  if (type === 'number') {
    return value.trim() !== '' && Number.isFinite(Number(value));
  }
  if (type !== 'json') {
    return true;
  }
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks only the changed parts of a state: the others may have been valid when they were stored.
 *
 * @throws InvalidRequestError naming the field.
 */
export function checkState(
  { strategies, variants }: FlagState,
  options: { before?: FlagState; legalValues: LegalValues },
): void {
  const { before, legalValues } = options;
  checkRules({
    ...(!isDeepStrictEqual(strategies, before?.strategies) && { strategies }),
    ...(!isDeepStrictEqual(variants, before?.variants) && { variants }),
  });
  const known = before?.strategies.flatMap(each => each.constraints ?? []);
  strategies.forEach(({ constraints = [] }, index) => {
    const isNew = (constraint: Constraint) =>
      !known?.some(each => isDeepStrictEqual(each, constraint));
    checkConstraints(constraints, {
      isNew,
      legalValues,
      path: `strategies.${index}.constraints`,
    });
  });
}
