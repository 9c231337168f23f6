import {
  allOf,
  call,
  type Expression,
  valueOf,
} from './language/Expression.ts';
import type { FilterScope } from './cohortFilters.ts';
import { readFilters } from './readFilters.ts';
import { readQueryDate } from './readPeriod.ts';
import type { Query } from './schemas.ts';
import { type TestAccounts, withoutTestAccounts } from './QueryContext.ts';

/**
 * Builds the condition that replaces `{filters}` in a query, from the request's property
 * and time filters.
 */
export function readHogqlFilters(
  { filters = {} }: Query,
  clock: FilterScope & TestAccounts,
): Expression {
  const { dateRange = {}, properties } = filters;
  const timestamp: Expression = { kind: 'column', name: 'timestamp' };
  const bound = (name: 'date_from' | 'date_to') => {
    const text = dateRange[name];
    const moment = text
      ? readQueryDate(text, {
          ...clock,
          field: `query.filters.dateRange.${name}`,
          isEnd: name === 'date_to',
        })
      : undefined;
    return moment === undefined
      ? []
      : [
          call(
            name === 'date_from' ? 'greaterOrEquals' : 'less',
            [timestamp, valueOf(moment, 'time')],
            'boolean',
          ),
        ];
  };
  return allOf([
    ...bound('date_from'),
    ...bound('date_to'),
    ...readFilters(properties, 'query.filters.properties', clock),
    ...withoutTestAccounts(filters, clock),
  ]);
}

/** Converts a constant of the request to an expression. */
export function asExpression(
  value: string | number | boolean | undefined,
): Expression {
  if (value === undefined) {
    return valueOf(null);
  }
  return typeof value === 'boolean'
    ? valueOf(Number(value), 'boolean')
    : valueOf(value);
}
