import { InvalidRequestError } from '@slipway/service-kit';
import type { Comparison, Condition } from './language/Expression.ts';
import type { FilterOperator, PropertyFilter } from './schemas.ts';

const COMPARISONS: Partial<Record<FilterOperator, Comparison>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/**
 * Reads a filter of a property as PostHog means it: values are compared as texts, so that
 * `3` and `"3"` are the same, and an absent property is not what it is compared with.
 *
 * @param field - of the request, for errors.
 * @throws InvalidRequestError where its operator cannot take its value.
 */
export function readPropertyFilter(
  { key, value, operator: name = 'exact' }: PropertyFilter,
  field: string,
): Condition {
  const left = { kind: 'property', name: key } as const;
  if (name === 'is_set' || name === 'is_not_set') {
    return { kind: 'absent', left, negated: name === 'is_set' };
  }
  if (value === undefined) {
    throw fault(`${field}.value`, 'is required', 'required');
  }
  const values = [value].flat().map(String);
  const operatorOfNumbers = COMPARISONS[name];
  if (operatorOfNumbers) {
    return {
      kind: 'compare',
      operator: operatorOfNumbers,
      left: { kind: 'number', name: key },
      right: readNumber(values, `${field}.value`),
    };
  }
  if (name === 'exact' || name === 'is_not') {
    return { kind: 'in', left, values, negated: name === 'is_not' };
  }
  const negated = name === 'not_icontains';
  return {
    kind: negated ? 'and' : 'or',
    all: values.map(text => ({
      kind: 'like',
      left,
      pattern: `%${text.replace(/[\\%_]/g, '\\$&')}%`,
      caseless: true,
      negated,
    })),
  };
}

function readNumber(values: readonly string[], field: string): number {
  const [text] = values;
  const number = Number(text);
  if (values.length !== 1 || text.trim() === '' || !Number.isFinite(number)) {
    throw fault(field, 'must be one number', 'type');
  }
  return number;
}

function fault(
  field: string,
  wording: string,
  constraint: string,
): InvalidRequestError {
  return new InvalidRequestError(`${field} ${wording}`, { field, constraint });
}
