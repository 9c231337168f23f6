import type { Access, ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import type { Destinations, DestinationState } from './Destinations.ts';

const Moment = Type.String({ format: 'date-time' });

const DestinationBody = Type.Object({
  id: Type.String(),
  kind: Type.String({ enum: ['webhook', 's3'] }),
  address: Type.String(),
  events: Type.Optional(Type.Array(Type.String())),
  delivered: Type.Integer({ description: 'Events received so far' }),
  received_up_to: Type.Optional(Moment),
  last_success_at: Type.Optional(Moment),
  failures: Type.Integer({ description: 'Failures since the last success' }),
  last_error: Type.Optional(Type.String()),
  next_attempt_at: Type.Optional(Moment),
});

/** Adds the route that shows the destinations of a project. */
export function destinationRoutes(
  app: ServiceApp,
  options: { destinations: Destinations; projects: Projects; users: Access },
): void {
  const { destinations, projects, users } = options;
  app.get(
    '/api/projects/:projectId/destinations',
    {
      config: { access: users },
      schema: {
        tags: ['projects'],
        summary: 'List where the events of a project are sent, and how far',
        params: ProjectPath,
        response: {
          200: Type.Object({ destinations: Type.Array(DestinationBody) }),
        },
      },
    },
    async ({ params, caller }) => {
      const { id } = await projects.open(caller, params.projectId);
      return { destinations: (await destinations.list(id)).map(toBody) };
    },
  );
}

function toBody({ destination, progress }: DestinationState) {
  const { id, kind, address, events } = destination;
  const iso = (instant: number) => new Date(instant).toISOString();
  return {
    id,
    kind,
    address,
    ...(events && { events: [...events] }),
    delivered: progress?.delivered ?? 0,
    failures: progress?.failures ?? 0,
    ...(progress && {
      received_up_to: iso(progress.cursor.at),
      last_error: progress.lastError,
      ...(progress.lastSuccessAt !== undefined && {
        last_success_at: iso(progress.lastSuccessAt),
      }),
      ...(progress.failures > 0 && { next_attempt_at: iso(progress.nextAt) }),
    }),
  };
}
