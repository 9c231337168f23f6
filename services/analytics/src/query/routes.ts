import { Type } from 'typebox';
import {
  type Access,
  actorOf,
  type Caller,
  disconnectSignal,
  ForbiddenError,
  isJsonObject,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import { ACTORS_KINDS } from './actorSchemas.ts';
import { openQuery, type QuerySources } from './answerQuery.ts';
import type { RecentAnswers } from './Answers.ts';
import {
  assertEmpty,
  fault,
  INSTEAD,
  INSTEAD_OF_BREAKDOWNS,
  INSTEAD_OF_KINDS,
  INSTEAD_OF_MATHS,
  INSTEAD_OF_OWNERS,
  INSTEAD_OF_SERIES,
} from './faults.ts';
import {
  type InsightAnswer,
  insightAnswer,
  type Query,
  type QueryAnswer,
  queryAnswer,
  QueryRequest,
} from './schemas.ts';

const Answer = Type.Union([queryAnswer, insightAnswer]);

/** PostHog's refresh modes that accept a cached result. */
const CACHED_MODES: ReadonlySet<unknown> = new Set([
  'async',
  'force_cache',
  'lazy_async',
]);

/** PostHog's nodes that wrap a query and only describe how to display it. */
const WRAPPERS: ReadonlySet<unknown> = new Set([
  'DataTableNode',
  'DataVisualizationNode',
  'InsightVizNode',
]);
const DEEPEST = 3;
const DEEPEST_FILTERS = 5;

/** Adds the routes that run queries over events. */
export function queryRoutes(
  app: ServiceApp,
  options: QuerySources & {
    recent: RecentAnswers;
    projects: Projects;
    /**
     * Returns when the last deletion of a person of a project was requested, in milliseconds since
     * the Unix epoch; undefined if there was none.
     */
    erasedAt: (projectId: string) => number | undefined;
    tokens: Access;
    tokensAndUsers: Access;
  },
): void {
  const { recent, projects, tokens, tokensAndUsers, erasedAt } = options;
  const tags = ['query'];
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: { query: Query; refresh?: unknown; projectId: string },
  ): Promise<QueryAnswer | InsightAnswer> => {
    const { caller } = request;
    if (asked.query.kind === 'ActorsQuery' && !mayListPeople(caller)) {
      throw new ForbiddenError(
        'The scopes of this token do not include persons',
      );
    }
    const project = await projects.open(caller, asked.projectId);
    const requester = {
      lane: actorOf(caller),
      signal: disconnectSignal(reply.raw),
    };
    // A response schema with alternatives would be resolved again for every cell.
    reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
    const { query } = asked;
    const opened = await openQuery(options, { project, query, requester });
    return recent.answer(
      {
        scope: opened.scope,
        query,
        mayBeOld: CACHED_MODES.has(asked.refresh),
        erasedAt: erasedAt(project.id),
      },
      opened.answer,
    );
  };

  app.post(
    '/api/query',
    {
      config: { access: tokens },
      preValidation: unwrapQuery,
      schema: {
        tags,
        summary: "Query the events of the token's project",
        body: QueryRequest,
        response: { 200: Answer },
      },
    },
    async (request, reply) =>
      answer(request, reply, { ...request.body, projectId: '@current' }),
  );
  // Newer PostHog clients use environments; a project has exactly one.
  for (const collection of ['projects', 'environments'] as const) {
    app.post(
      `/api/${collection}/:projectId/query`,
      {
        config: { access: tokensAndUsers },
        preValidation: unwrapQuery,
        schema: {
          tags,
          summary: `Query the events of a project; @current is the token's`,
          params: ProjectPath,
          body: QueryRequest,
          response: { 200: Answer },
        },
      },
      async (request, reply) =>
        answer(request, reply, {
          ...request.body,
          projectId: request.params.projectId,
        }),
    );
  }
}

/** Checks whether a caller could also use the routes of persons. */
function mayListPeople(caller: Caller): boolean {
  return !('scopes' in caller) || caller.scopes.includes('persons');
}

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
    assertKind(type, `${field}.breakdown_type`, INSTEAD_OF_BREAKDOWNS);
    listOf(breakdowns).forEach((each, index) => {
      const owner = `${field}.breakdowns.${index}.type`;
      assertKind(each.type, owner, INSTEAD_OF_BREAKDOWNS);
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
