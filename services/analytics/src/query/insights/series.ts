import {
  allOf,
  call,
  equals,
  type EventsSource,
  type Expression,
  isAggregated,
  kindOf,
} from '../language/Expression.ts';
import { parseWhole } from '../language/parseExpression.ts';
import { assertEmpty, fault, INSTEAD } from '../faults.ts';
import { readFilters } from '../readFilters.ts';
import type { Entity } from '../insightFilterSchemas.ts';
import type { Series } from '../insightSchemas.ts';
import type { Query } from '../schemas.ts';
import { type InsightContext, withoutTestAccounts } from '../QueryContext.ts';
import { type Buckets, EVENT, sourceOf } from './buckets.ts';

/** The events of a series. */
export interface Matching {
  /** Name of the events; undefined matches every event. */
  readonly event?: string;
  readonly where: readonly Expression[];
}

/** Returns the series of a query, which must have at least one. */
export function seriesOf({ series }: Query): readonly Series[] {
  if (!series) {
    throw fault('query.series', 'is required', 'required');
  }
  return series;
}

/** Parses which events belong to a series. */
export function readSeries(
  series: Series,
  field: string,
  context: InsightContext,
): Matching {
  assertEmpty(
    series,
    ['math_multiplier', 'math_property_revenue_currency', 'optionalInFunnel'],
    { path: field, instead: INSTEAD },
  );
  const where = (['properties', 'fixedProperties'] as const).flatMap(name =>
    readFilters(series[name], `${field}.${name}`, context),
  );
  context.assertShown(where);
  return { ...(series.event && { event: series.event }), where };
}

/** Parses the event of a retention; the default is `$pageview`. */
export function readEntity(
  entity: Entity | undefined,
  field: string,
  context: InsightContext,
): Matching {
  const where = readFilters(entity?.properties, `${field}.properties`, context);
  context.assertShown(where);
  const event = entity ? entity.id : '$pageview';
  return { ...(event && { event }), where };
}

/** Parses the filters that apply to the whole query. */
export function sharedFilters(
  query: Query,
  context: InsightContext,
): Expression[] {
  const where = [
    ...readFilters(query.properties, 'query.properties', context),
    ...withoutTestAccounts(query, context),
    ...(context.among ?? []),
  ];
  context.assertShown(where);
  return where;
}

/** Returns the condition that an event belongs to a series. */
export function isOf({ event, where }: Matching): Expression {
  const conditions = [
    ...(event === undefined ? [] : [equals(EVENT, event)]),
    ...where,
  ];
  return allOf(conditions);
}

/** Returns the event names of several series; undefined if one includes every event. */
export function eventsOf(
  all: readonly Matching[],
): readonly string[] | undefined {
  const names = all.map(({ event }) => event);
  return names.every(name => name !== undefined)
    ? [...new Set(names)]
    : undefined;
}

/**
 * Returns the source of a series' events in some buckets; the query still needs the
 * conditions of the series.
 */
export function eventsIn(
  { event }: Matching,
  buckets: Buckets,
  { projectId }: Pick<InsightContext, 'projectId'>,
): EventsSource {
  return sourceOf(buckets, {
    projectId,
    ...(event !== undefined && { events: [event] }),
  });
}

/** Returns the display name of a series. */
export function nameOf({ event, name, custom_name: custom }: Series): string {
  return custom || event || name || 'All events';
}

/** Converts an expression on single events to text. */
export function textOf(expression: Expression, field: string): Expression {
  if (isAggregated(expression)) {
    throw fault(field, 'cannot be an aggregate');
  }
  switch (kindOf(expression)) {
    case 'text':
      return expression;
    case 'number':
    case 'boolean':
    case 'date':
    case 'time':
      return call('toText', [expression], 'text', [kindOf(expression)]);
    default:
      throw fault(field, 'must be a string or a number');
  }
}

/** Parses a HogQL expression in a field. */
export function parseExpressionIn(
  source: string,
  field: string,
  context: InsightContext,
): Expression {
  const { calendar, now, groupTypes, cohorts } = context;
  return parseWhole(
    source,
    { field, scope: { calendar, now, groupTypes, cohorts } },
    parser => parser.expression(),
  );
}
