import type { Access, Caller, ServiceApp } from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import { assertMayRead, projectOfToken } from '../projects/apiTokenAccess.ts';
import type { EventStore } from '../store/EventStore.ts';
import { answerOf, type QueryAnswer as Answer } from './answerOf.ts';
import { planEventsQuery } from './planEventsQuery.ts';
import { type EventsQuery, QueryAnswer, QueryRequest } from './schemas.ts';

/** Answers questions about events. */
export function queryRoutes(
  app: ServiceApp,
  options: {
    store: EventStore;
    projects: Projects;
    tokens: Access;
    tokensAndUsers: Access;
    now: () => number;
  },
): void {
  const { store, projects, tokens, tokensAndUsers, now } = options;
  const tags = ['query'];
  const answer = async (
    query: EventsQuery,
    projectId: string,
  ): Promise<Answer> => {
    const plan = planEventsQuery(query, { projectId, now: now() });
    return answerOf(plan, await store.query(plan));
  };

  app.post(
    '/api/query',
    {
      config: { access: tokens },
      schema: {
        tags,
        summary: "Ask about the events of the token's project",
        body: QueryRequest,
        response: { 200: QueryAnswer },
      },
    },
    async ({ body, caller }) => answer(body.query, ownProject(caller)),
  );
  app.post(
    '/api/projects/:projectId/query',
    {
      config: { access: tokensAndUsers },
      schema: {
        tags,
        summary: 'Ask about the events of a project',
        params: ProjectPath,
        body: QueryRequest,
        response: { 200: QueryAnswer },
      },
    },
    async ({ params, body, caller }) => {
      assertMayRead(caller, params.projectId);
      const { id } = await projects.get(params.projectId);
      return answer(body.query, id);
    },
  );
}

function ownProject(caller: Caller): string {
  const projectId = projectOfToken(caller);
  if (projectId === undefined) {
    throw new Error('The route lets in what is no token of a project');
  }
  return projectId;
}
