import { assertEmpty, fault, INSTEAD } from './faults.ts';
import type { FilterScope } from './cohortFilters.ts';
import { assertOfPeople } from './insights/subject.ts';
import {
  allOf,
  call,
  type Expression,
  valueOf,
} from './language/Expression.ts';
import { parseHogql } from './language/parseHogql.ts';
import type { PlanContext, TablePlan } from './planEventsQuery.ts';
import { type TestAccounts, withoutTestAccounts } from './QueryContext.ts';
import { readFilters } from './readFilters.ts';
import { readQueryDate } from './readPeriod.ts';
import { type Query, UNSUPPORTED } from './schemas.ts';
import { UTC } from './time/zones.ts';

/**
 * Parses a HogQLQuery.
 * @throws InvalidRequestError naming the invalid field.
 */
export function planHogqlQuery(query: Query, context: PlanContext): TablePlan {
  const { projectId, now, calendar = UTC, groupTypes } = context;
  const { testAccountFilters, cohorts } = context;
  const clock = { now, calendar, cohorts };
  assertOfPeople(query, '$group_0 in the query');
  assertEmpty(
    query,
    [...UNSUPPORTED, 'filterTestAccounts', 'properties', 'dateRange'],
    {
      instead: {
        ...INSTEAD,
        filterTestAccounts: 'filters.filterTestAccounts',
        properties: 'filters.properties, and {filters} in the query',
        dateRange: 'filters.dateRange, and {filters} in the query',
      },
    },
  );
  if (!query.query) {
    throw fault('query.query', 'is required', 'required');
  }
  const placeholders = new Map<string, Expression>([
    ['filters', readHogqlFilters(query, { ...clock, testAccountFilters })],
    ...Object.entries(query.values ?? {}).map(
      ([name, value]) => [name, asExpression(value)] as const,
    ),
    ...Object.values(query.variables ?? {}).map(
      ({ code_name: name, value }) =>
        [`variables.${name}`, asExpression(value)] as const,
    ),
  ]);
  const { select, selections } = parseHogql(withoutEnd(query.query), {
    source: { kind: 'events', projectId },
    scope: { ...clock, groupTypes, placeholders },
  });
  return { projectId, select, selections };
}

/** Removes one trailing semicolon. */
function withoutEnd(written: string): string {
  const trimmed = written.trimEnd();
  return trimmed.endsWith(';') ? trimmed.slice(0, -1) : trimmed;
}

/**
 * Builds the condition that replaces `{filters}` in a query, from the request's property
 * and time filters.
 */
function readHogqlFilters(
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

/** Converts a constant from the request to an expression. */
function asExpression(
  value: string | number | boolean | undefined,
): Expression {
  if (value === undefined) {
    return valueOf(null);
  }
  return typeof value === 'boolean'
    ? valueOf(Number(value), 'boolean')
    : valueOf(value);
}
