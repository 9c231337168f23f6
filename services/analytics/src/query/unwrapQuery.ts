import { isJsonObject } from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { ACTORS_KINDS } from './actorSchemas.ts';
import { assertEmpty, fault, INSTEAD } from './faults.ts';

/** PostHog's nodes that wrap a query and only describe how to display it. */
const WRAPPERS: ReadonlySet<unknown> = new Set([
  'DataTableNode',
  'DataVisualizationNode',
  'InsightVizNode',
]);
const DEEPEST = 3;
const DEEPEST_FILTERS = 5;

/** What to use instead of aggregating counts per person. */
const PER_PERSON = 'a HogQLQuery over a subquery that groups by person_id';

/** What to use instead of PostHog's unsupported kinds of queries, by `kind`. */
const INSTEAD_OF_KINDS: Readonly<Record<string, string>> = {
  ActorsQuery:
    'GET /api/projects/{id}/persons, or a source of kind InsightActorsQuery, FunnelsActorsQuery or StickinessActorsQuery',
  EventsNode: 'an EventsQuery',
  FunnelCorrelationQuery: 'a FunnelsQuery with a breakdown',
  FunnelsActorsQuery: 'an ActorsQuery with it as source',
  GroupsQuery: 'GET /api/projects/{id}/groups',
  InsightActorsQuery: 'an ActorsQuery with it as source',
  PersonsNode: 'GET /api/projects/{id}/persons',
  SavedInsightNode: 'the query of the insight',
  StickinessActorsQuery: 'an ActorsQuery with it as source',
  SessionsTimelineQuery: 'GET /api/projects/{id}/persons/{distinctId}/events',
  WebGoalsQuery: 'a FunnelsQuery',
  WebStatsTableQuery: 'a TrendsQuery with display ActionsTable and a breakdown',
};

/** What to use instead of PostHog's unsupported kinds of series, by `kind`. */
const INSTEAD_OF_SERIES: Readonly<Record<string, string>> = {
  ActionsNode: 'EventsNode with event and properties',
  DataWarehouseNode: 'EventsNode, after importing its rows as events',
  GroupNode: 'one EventsNode for each event',
};

/** What to use instead of PostHog's unsupported aggregations of a series, by `math`. */
const INSTEAD_OF_MATHS: Readonly<Record<string, string>> = {
  avg_count_per_actor:
    'hogql with math_hogql count() / count(distinct person_id)',
  first_matching_event_for_user:
    'a HogQLQuery with min(timestamp) grouped by person_id',
  first_time_for_user: 'a HogQLQuery with min(timestamp) grouped by person_id',
  first_time_for_user_with_filters:
    'a HogQLQuery with min(timestamp) grouped by person_id',
  max_count_per_actor: PER_PERSON,
  median_count_per_actor: PER_PERSON,
  min_count_per_actor: PER_PERSON,
  p75_count_per_actor: PER_PERSON,
  p90_count_per_actor: PER_PERSON,
  p95_count_per_actor: PER_PERSON,
  p99_count_per_actor: PER_PERSON,
};

/** What to use instead of PostHog's unsupported filters, by `type`: the owner of the property. */
const INSTEAD_OF_OWNERS: Readonly<Record<string, string>> = {
  data_warehouse: 'event, after importing its rows as events',
  element: 'hogql with properties.$elements_chain',
  recording: 'event with $session_id',
  session: 'event with a property of events, such as $session_id',
};

/** What to use instead of PostHog's unsupported items of `breakdowns`, by `type`. */
const INSTEAD_OF_ITEMS: Readonly<Record<string, string>> = {
  ...INSTEAD_OF_OWNERS,
  cohort: 'breakdown_type cohort, with the ids in breakdown',
};

/**
 * Replaces a display node in the body with the query that it wraps, because users copy
 * queries from PostHog together with this node. Runs before the body is validated.
 * @throws InvalidRequestError for parts that only PostHog supports, naming what to use
 *   instead.
 */
export async function unwrapQuery({ body }: FastifyRequest): Promise<void> {
  if (!isJsonObject(body)) {
    return;
  }
  for (let depth = 0; depth < DEEPEST && isWrapper(body.query); depth += 1) {
    body.query = body.query.source;
  }
  if (isJsonObject(body.query)) {
    assertParts(body.query);
  }
}

/**
 * Checks that a query has no parts that only PostHog supports, and removes empty sources.
 * @param path - path of the query in the request.
 * @throws InvalidRequestError naming what to use instead.
 */
function assertParts(query: Record<string, unknown>, path = 'query'): void {
  const { kind, series, breakdownFilter, properties, source } = query;
  if (kind === 'ActorsQuery' && isSelection(source)) {
    if (isJsonObject(source.source)) {
      assertParts(source.source, `${path}.source.source`);
    }
    return;
  }
  if (kind === 'ActorsQuery' && hasFilters(properties)) {
    assertEmpty(query, ['source'], { path });
    delete query.source;
    assertFilters(properties, `${path}.properties`);
    return;
  }
  assertKind(kind, `${path}.kind`, INSTEAD_OF_KINDS);
  if (!WRAPPERS.has(kind)) {
    // Only an ActorsQuery may have a source, but clients also send empty ones.
    assertEmpty(query, ['source'], { path, instead: INSTEAD });
    delete query.source;
  }
  listOf(series).forEach((each, index) => {
    const field = `${path}.series.${index}`;
    assertKind(each.kind, `${field}.kind`, INSTEAD_OF_SERIES);
    assertKind(each.math, `${field}.math`, INSTEAD_OF_MATHS);
    assertFilters(each.properties, `${field}.properties`);
  });
  if (isJsonObject(breakdownFilter)) {
    const field = `${path}.breakdownFilter`;
    const { breakdown_type: type, breakdowns } = breakdownFilter;
    assertKind(type, `${field}.breakdown_type`, INSTEAD_OF_OWNERS);
    listOf(breakdowns).forEach((each, index) => {
      const owner = `${field}.breakdowns.${index}.type`;
      assertKind(each.type, owner, INSTEAD_OF_ITEMS);
    });
  }
  assertFilters(properties, `${path}.properties`);
}

/**
 * Checks the owners of properties in a list of filters, or in groups of filters nested up to
 * {@link DEEPEST_FILTERS} deep.
 * @throws InvalidRequestError naming what to use instead of an unsupported owner.
 */
function assertFilters(filters: unknown, field: string, depth = 0): void {
  if (depth > DEEPEST_FILTERS) {
    return;
  }
  const path = Array.isArray(filters) ? field : `${field}.values`;
  const values = isJsonObject(filters) ? filters.values : filters;
  listOf(values).forEach((each, index) => {
    assertKind(each.type, `${path}.${index}.type`, INSTEAD_OF_OWNERS);
    assertFilters(each, `${path}.${index}`, depth + 1);
  });
}

/**
 * Returns the items of an unvalidated list, with `{}` in place of those that are not objects;
 * an empty list for other values.
 */
function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value)
    ? value.map(each => (isJsonObject(each) ? each : {}))
    : [];
}

/** Checks whether the source of an ActorsQuery selects the people behind a number of an insight. */
function isSelection(source: unknown): source is Record<string, unknown> {
  return (
    isJsonObject(source) && ACTORS_KINDS.some(kind => source.kind === kind)
  );
}

/** Checks whether the properties of an ActorsQuery contain a filter. */
function hasFilters(properties: unknown): boolean {
  const filters = isJsonObject(properties) ? properties.values : properties;
  return listOf(filters).length > 0;
}

function isWrapper(query: unknown): query is Record<string, unknown> {
  return isJsonObject(query) && WRAPPERS.has(query.kind);
}

function assertKind(
  kind: unknown,
  field: string,
  instead: Readonly<Record<string, string>>,
): void {
  if (typeof kind === 'string' && Object.hasOwn(instead, kind)) {
    throw fault(field, `cannot be ${kind}: use ${instead[kind]}`, 'enum');
  }
}
