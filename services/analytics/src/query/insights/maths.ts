import {
  type Aggregate,
  COUNT,
  countDistinct,
  type Expression,
  GROUP_OWNERS,
  isAggregated,
  kindOf,
  partsOf,
} from '../language/Expression.ts';
import { fault } from '../faults.ts';
import type { Series } from '../insightSchemas.ts';
import { PERSON } from './buckets.ts';
import type { InsightContext } from '../QueryContext.ts';
import { parseExpressionIn } from './series.ts';

const LEVELS: Readonly<Record<string, number>> = {
  median: 0.5,
  p75: 0.75,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
};

/**
 * Returns the number of days for which a person counts as active after an event; undefined
 * if the series counts something else.
 */
export function activeDays({ math }: Series): number | undefined {
  switch (math) {
    case 'weekly_active':
      return 7;
    case 'monthly_active':
      return 30;
    default:
      return undefined;
  }
}

/** Parses what to count in a series. */
export function readMath(
  series: Series,
  field: string,
  context: InsightContext,
): Expression {
  const { math = 'total' } = series;
  switch (math) {
    case 'total':
      return COUNT;
    case 'dau':
    case 'weekly_active':
    case 'monthly_active':
      return countDistinct(PERSON);
    case 'unique_session':
      return countDistinct({
        kind: 'property',
        path: ['$session_id'],
        as: 'text',
      });
    case 'unique_group':
      return countDistinct({
        kind: 'column',
        name: GROUP_OWNERS[series.math_group_type_index ?? 0],
      });
    case 'hogql':
      return readOwn(series, field, context);
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return ofProperty(series, field, { context, function: math });
    default:
      return ofProperty(series, field, {
        context,
        function: 'quantile',
        level: LEVELS[math],
      });
  }
}

function ofProperty(
  { math_property: property, math_property_type: type }: Series,
  field: string,
  {
    context,
    ...aggregate
  }: Pick<Aggregate, 'function' | 'level'> & { context: InsightContext },
): Aggregate {
  if (!property) {
    throw fault(`${field}.math_property`, 'is required', 'required');
  }
  const value: Aggregate = {
    kind: 'aggregate',
    ...aggregate,
    args: [
      {
        kind: 'property',
        path: [property],
        as: 'number',
        ...(type === 'person_properties' && { owner: 'person' }),
      },
    ],
    of: 'number',
  };
  context.assertShown([value]);
  return value;
}

function readOwn(
  { math_hogql: source }: Series,
  series: string,
  context: InsightContext,
): Expression {
  const field = `${series}.math_hogql`;
  if (!source) {
    throw fault(field, 'is required', 'required');
  }
  const value = parseExpressionIn(source, field, context);
  if (
    !isAggregated(value) ||
    usesRowColumn(value) ||
    kindOf(value) !== 'number'
  ) {
    throw fault(field, 'must be an aggregate that is a number', 'format');
  }
  context.assertShown([value]);
  return value;
}

/** Checks whether an expression uses a column outside of an aggregate. */
function usesRowColumn(expression: Expression): boolean {
  switch (expression.kind) {
    case 'aggregate':
    case 'value':
      return false;
    case 'call':
      return partsOf(expression).some(usesRowColumn);
    default:
      return true;
  }
}
