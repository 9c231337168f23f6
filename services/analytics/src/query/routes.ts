import { Type } from 'typebox';
import {
  type Access,
  actorOf,
  type Caller,
  disconnectSignal,
  ForbiddenError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import { openQuery, type QuerySources } from './answerQuery.ts';
import type { RecentAnswers } from './Answers.ts';
import {
  type InsightAnswer,
  insightAnswer,
  type Query,
  type QueryAnswer,
  queryAnswer,
  QueryRequest,
} from './schemas.ts';
import { unwrapQuery } from './unwrapQuery.ts';

const Answer = Type.Union([queryAnswer, insightAnswer]);

/** PostHog's refresh modes that accept a cached result. */
const CACHED_MODES: ReadonlySet<unknown> = new Set([
  'async',
  'force_cache',
  'lazy_async',
]);

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
