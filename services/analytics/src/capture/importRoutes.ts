import type { Access, ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import { BatchRequest, readEvent } from './bodies.ts';

const BODY_LIMIT = 20 * 1024 * 1024;

/**
 * Adds `POST /api/projects/{projectId}/events`, with which admins import the past events
 * of a product. Imports do not count towards the project's rate limit.
 */
export function importRoutes(
  app: ServiceApp,
  options: {
    admins: Access;
    /** @throws NotFoundError */
    assertProject: (projectId: string) => Promise<unknown>;
    /** Resolves once the events are stored. */
    keep: (events: readonly AnalyticsEvent[]) => Promise<unknown>;
    now: () => number;
  },
): void {
  const { admins, assertProject, keep, now } = options;
  app.post(
    '/api/projects/:projectId/events',
    {
      config: { access: admins },
      bodyLimit: BODY_LIMIT,
      schema: {
        tags: ['projects'],
        summary: 'Import past events, all or none of which are stored',
        params: Type.Object({ projectId: Type.String({ maxLength: 64 }) }),
        body: Type.Object({ batch: BatchRequest.properties.batch }),
        response: { 200: Type.Object({ events: Type.Integer() }) },
      },
    },
    async ({ params: { projectId }, body: { batch } }) => {
      await assertProject(projectId);
      const arrival = { projectId, now: now(), sentAt: undefined };
      await keep(
        batch.map((event, index) =>
          readEvent(event, arrival, `batch.${index}.`),
        ),
      );
      return { events: batch.length };
    },
  );
}
