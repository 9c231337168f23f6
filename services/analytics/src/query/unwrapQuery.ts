import { isJsonObject } from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { ACTORS_KINDS } from './actorSchemas.ts';
import { assertEmpty, fault, INSTEAD } from './faults.ts';

/** PostHog nodes that only describe how a query is displayed. */
const WRAPPERS: ReadonlySet<unknown> = new Set([
  'DataTableNode',
  'DataVisualizationNode',
  'InsightVizNode',
]);
const DEEPEST = 3;
const DEEPEST_FILTERS = 5;
/** A query about the numbers of single people. */
const PER_PERSON = 'a HogQLQuery over a subquery that groups by person_id';

/** What to use instead of PostHog's unsupported kinds of queries. */
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

/** What to use instead of PostHog's unsupported kinds of series. */
const INSTEAD_OF_SERIES: Readonly<Record<string, string>> = {
  ActionsNode: 'EventsNode with event and properties',
  DataWarehouseNode: 'EventsNode, after importing its rows as events',
  GroupNode: 'one EventsNode for each event',
};

/** What to use instead of PostHog's unsupported ways of counting. */
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

/** What to use instead of PostHog's unsupported owners of properties, in filters. */
const INSTEAD_OF_OWNERS: Readonly<Record<string, string>> = {
  data_warehouse: 'event, after importing its rows as events',
  element: 'hogql with properties.$elements_chain',
  recording: 'event with $session_id',
  session: 'event with a property of events, such as $session_id',
};

/** What to use instead of PostHog's unsupported owners of properties, in breakdowns. */
const INSTEAD_OF_BREAKDOWNS: Readonly<Record<string, string>> = {
  ...INSTEAD_OF_OWNERS,
  cohort: 'filters of type cohort, in a query for each',
};

/**
 * Replaces a display node with the query in it, before the body is validated: users copy
 * queries from PostHog together with this node.
 * @throws InvalidRequestError naming the replacement of an unsupported kind.
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

/** Rejects parts of a query that only PostHog supports, naming what to use instead. */
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
    // Only an ActorsQuery has a source; clients may send an empty one.
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
    assertKind(type, `${field}.breakdown_type`, INSTEAD_OF_BREAKDOWNS);
    listOf(breakdowns).forEach((each, index) => {
      const owner = `${field}.breakdowns.${index}.type`;
      assertKind(each.type, owner, INSTEAD_OF_BREAKDOWNS);
    });
  }
  assertFilters(properties, `${path}.properties`);
}

/** Checks filters in lists, and in groups nested up to {@link DEEPEST_FILTERS} deep. */
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

/** Returns the objects in a list that is not validated yet; none if it is not a list. */
function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value)
    ? value.map(each => (isJsonObject(each) ? each : {}))
    : [];
}

/** Checks whether the source of an ActorsQuery selects a number of an insight. */
function isSelection(source: unknown): source is Record<string, unknown> {
  return (
    isJsonObject(source) && ACTORS_KINDS.some(kind => source.kind === kind)
  );
}

/** Checks whether an ActorsQuery selects people by filters. */
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
