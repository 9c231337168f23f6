import { isJsonObject } from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { fault } from './faults.ts';

/** PostHog nodes that only describe how a query is displayed. */
const WRAPPERS: ReadonlySet<unknown> = new Set([
  'DataTableNode',
  'DataVisualizationNode',
  'InsightVizNode',
]);
const DEEPEST = 3;

/** What to use instead of PostHog's other kinds of queries. */
const INSTEAD_OF_KINDS: Readonly<Record<string, string>> = {
  ActorsQuery: 'GET /api/projects/{id}/persons, or a HogQLQuery by person_id',
  EventsNode: 'an EventsQuery',
  FunnelCorrelationQuery: 'a FunnelsQuery with a breakdown',
  FunnelsActorsQuery: 'a FunnelsQuery',
  GroupsQuery: 'GET /api/projects/{id}/groups',
  InsightActorsQuery: 'GET /api/projects/{id}/persons',
  PersonsNode: 'GET /api/projects/{id}/persons',
  SavedInsightNode: 'the query of the insight',
  SessionsTimelineQuery: 'GET /api/projects/{id}/persons/{distinctId}/events',
  WebGoalsQuery: 'a FunnelsQuery',
  WebStatsTableQuery: 'a TrendsQuery with display ActionsTable and a breakdown',
};

/** What to use instead of PostHog's other kinds of series. */
const INSTEAD_OF_SERIES: Readonly<Record<string, string>> = {
  ActionsNode: 'EventsNode with event and properties',
  DataWarehouseNode: 'EventsNode, after importing its rows as events',
  GroupNode: 'one EventsNode for each event',
};

/**
 * Replaces a display node with the query in it, before the body is validated: users of PostHog copy
 * queries with their node.
 * @throws InvalidRequestError naming the replacement of a kind that is not supported.
 */
export async function unwrapQuery({ body }: FastifyRequest): Promise<void> {
  if (!isJsonObject(body)) {
    return;
  }
  for (let depth = 0; depth < DEEPEST && isWrapper(body.query); depth += 1) {
    body.query = body.query.source;
  }
  if (!isJsonObject(body.query)) {
    return;
  }
  const { kind, series } = body.query;
  assertKind(kind, 'query.kind', INSTEAD_OF_KINDS);
  if (Array.isArray(series)) {
    series.forEach((each: unknown, index) => {
      if (isJsonObject(each)) {
        assertKind(each.kind, `query.series.${index}.kind`, INSTEAD_OF_SERIES);
      }
    });
  }
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
