import { Readable } from 'node:stream';
import { type Access, actorOf, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { LONGEST_EVENT_NAME } from '../events/AnalyticsEvent.ts';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import type { EventsPlan, PlanRows } from '../query/language/Expression.ts';
import type { Requester } from '../store/process/QueryQueue.ts';
import { encode, type ExportFormat, MEDIA_TYPES } from './encodings.ts';
import { eventPages } from './eventPages.ts';

const ExportQuery = Type.Object({
  format: Type.Unsafe<ExportFormat>(
    Type.String({ enum: Object.keys(MEDIA_TYPES), default: 'ndjson' }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'Exclusive: a date, a time, or relative as -7d; default: all',
    }),
  ),
  before: Type.Optional(
    Type.String({ maxLength: 64, description: 'Exclusive; default: now' }),
  ),
  event: Type.Optional(
    Type.String({ minLength: 1, maxLength: LONGEST_EVENT_NAME }),
  ),
});

/** Adds `GET /api/projects/{projectId}/export`, which streams every event of a project. */
export function exportRoutes(
  app: ServiceApp,
  options: {
    projects: Projects;
    query: (plan: EventsPlan, requester: Requester) => Promise<PlanRows>;
    tokensAndUsers: Access;
    now: () => number;
  },
): void {
  const { projects, query, tokensAndUsers, now } = options;
  app.get(
    '/api/projects/:projectId/export',
    {
      config: { access: tokensAndUsers },
      schema: {
        tags: ['export'],
        summary: 'Download the events of a project, the oldest first',
        params: ProjectPath,
        querystring: ExportQuery,
      },
    },
    async (request, reply) => {
      const { params, caller } = request;
      const { format, ...scope } = request.query;
      const { id, hidesPeople } = await projects.open(caller, params.projectId);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const requester = { lane: actorOf(caller), signal: gone.signal };
      const pages = eventPages(
        { ...scope, projectId: id, hidesPeople, now: now() },
        plan => query(plan, requester),
      );
      reply
        .type(MEDIA_TYPES[format])
        .header(
          'Content-Disposition',
          `attachment; filename="events-${id}.${format}"`,
        );
      return reply.send(Readable.from(encode(pages, format)));
    },
  );
}
