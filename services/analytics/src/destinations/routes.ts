import { type Access, actorOf, type ServiceApp } from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import type { Destinations } from './Destinations.ts';
import type { ManagedDestinations } from './ManagedDestinations.ts';
import { readChanges, readDestination } from './readSettings.ts';
import {
  ChangedDestination,
  CreatedDestination,
  DeliveryList,
  DestinationBody,
  DestinationList,
  DestinationPath,
  NewDestination,
  presentDelivery,
  presentDestination,
  TestOutcome,
} from './schemas.ts';

/** Adds the routes by which admins manage destinations, and readers of a project view them. */
export function destinationRoutes(
  app: ServiceApp,
  options: {
    destinations: Destinations;
    managed: ManagedDestinations;
    projects: Projects;
    users: Access;
    admins: Access;
  },
): void {
  const { destinations, managed, projects, users, admins } = options;
  const tags = ['destinations'];
  const url = '/api/projects/:projectId/destinations';
  const keyOf = (params: { projectId: string; destinationId: string }) => ({
    projectId: params.projectId,
    id: params.destinationId,
  });

  app.get(
    url,
    {
      config: { access: users },
      schema: {
        tags,
        summary: 'List the destinations of a project with their progress',
        params: ProjectPath,
        response: { 200: DestinationList },
      },
    },
    async ({ params, caller }) => {
      const { id } = await projects.open(caller, params.projectId);
      return {
        destinations: (await destinations.list(id)).map(presentDestination),
        can_create: managed.canCreate,
      };
    },
  );
  app.post(
    url,
    {
      config: { access: admins, faults: ['conflict', 'notFound'] },
      schema: {
        tags,
        summary: 'Create a destination',
        params: ProjectPath,
        body: NewDestination,
        response: { 201: CreatedDestination },
      },
    },
    async ({ params, body, caller }, reply) => {
      const { id } = await projects.open(caller, params.projectId);
      const config = readDestination(body);
      const created = await managed.create(id, config, actorOf(caller));
      reply.code(201);
      return {
        destination: presentDestination(await destinations.stateOf(created)),
        ...(config.kind === 'webhook' && { secret: config.secret }),
      };
    },
  );
  app.patch(
    `${url}/:destinationId`,
    {
      config: { access: admins, faults: ['conflict'] },
      schema: {
        tags,
        summary: 'Change, pause or resume a destination',
        params: DestinationPath,
        body: ChangedDestination,
        response: { 200: DestinationBody },
      },
    },
    async ({ params, body }) => {
      const key = keyOf(params);
      const { kind } = await managed.get(key);
      const changed = await managed.change(key, readChanges(body, kind));
      return presentDestination(await destinations.stateOf(changed));
    },
  );
  app.delete(
    `${url}/:destinationId`,
    {
      config: { access: admins, faults: ['conflict'] },
      schema: {
        tags,
        summary: 'Delete a destination',
        params: DestinationPath,
      },
    },
    async ({ params }) => {
      await managed.remove(keyOf(params));
      return {};
    },
  );
  app.post(
    `${url}/:destinationId/test`,
    {
      config: { access: admins, faults: ['conflict'] },
      schema: {
        tags,
        summary: 'Send a test event to a destination',
        params: DestinationPath,
        response: { 200: TestOutcome },
      },
    },
    async ({ params }) => {
      const delivery = await destinations.test(keyOf(params));
      const { status, error, durationMs } = delivery;
      return {
        delivered: error === null,
        status,
        error,
        duration_ms: durationMs,
      };
    },
  );
  app.get(
    `${url}/:destinationId/deliveries`,
    {
      config: { access: users },
      schema: {
        tags,
        summary: 'List the last 50 deliveries to a destination, newest first',
        params: DestinationPath,
        response: { 200: DeliveryList },
      },
    },
    async ({ params, caller }) => {
      const { id: projectId } = await projects.open(caller, params.projectId);
      const found = await destinations.deliveries({
        projectId,
        id: params.destinationId,
      });
      return { deliveries: found.map(presentDelivery) };
    },
  );
}
