import { isoOf } from '@slipway/entity-contract';
import {
  type Access,
  actorOf,
  type Caller,
  disconnectSignal,
  type ServiceApp,
} from '@slipway/service-kit';
import type { CohortsOfPerson } from '../cohorts/CohortsOfPerson.ts';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import type { People } from './People.ts';
import {
  ErasureBody,
  ErasureList,
  PersonBody,
  PersonCohorts,
  PersonList,
  PersonPath,
  PersonsQuery,
  Timeline,
  TimelineQuery,
} from './schemas.ts';
import type { Erasure } from './storage/ErasureStore.ts';
import type { Person } from './storage/PersonStore.ts';
import type { Timelines } from './Timelines.ts';

/** Adds the routes of persons. */
export function personRoutes(
  app: ServiceApp,
  options: {
    people: People;
    projects: Projects;
    timelines: Timelines;
    cohorts: CohortsOfPerson;
    tokensAndUsers: Access;
    admins: Access;
  },
): void {
  const { people, projects, timelines, cohorts } = options;
  const { tokensAndUsers, admins } = options;
  const tags = ['persons'];
  const open = async (caller: Caller, projectId: string) =>
    (await projects.openPeople(caller, projectId)).id;

  app.get(
    '/api/projects/:projectId/persons',
    {
      config: { access: tokensAndUsers },
      schema: {
        tags,
        summary: 'List persons, most recently seen first',
        params: ProjectPath,
        querystring: PersonsQuery,
        response: { 200: PersonList },
      },
    },
    async ({ params, query, caller }) => {
      const { search, limit, offset } = query;
      const persons = await people.list(await open(caller, params.projectId), {
        search,
        limit: limit + 1,
        offset,
      });
      return {
        persons: persons.slice(0, limit).map(toBody),
        has_more: persons.length > limit,
      };
    },
  );
  app.get(
    '/api/projects/:projectId/persons/:distinctId',
    {
      config: { access: tokensAndUsers },
      schema: {
        tags,
        summary: 'Get a person by any of their ids',
        params: PersonPath,
        response: { 200: PersonBody },
      },
    },
    async ({ params, caller }) =>
      toBody(
        await people.get(
          await open(caller, params.projectId),
          params.distinctId,
        ),
      ),
  );
  app.get(
    '/api/projects/:projectId/persons/:distinctId/events',
    {
      config: { access: tokensAndUsers },
      schema: {
        tags,
        summary: 'List what a person did, the latest first',
        params: PersonPath,
        querystring: TimelineQuery,
        response: { 200: Timeline },
      },
    },
    async ({ params, query, caller }) => {
      const projectId = await open(caller, params.projectId);
      const { distinctIds } = await people.get(projectId, params.distinctId);
      return timelines.read(
        { projectId, column: 'distinct_id', values: distinctIds },
        query,
      );
    },
  );
  app.get(
    '/api/projects/:projectId/persons/:distinctId/cohorts',
    {
      config: { access: tokensAndUsers },
      schema: {
        tags,
        summary: 'List the cohorts that a person is in, by name',
        params: PersonPath,
        response: { 200: PersonCohorts },
      },
    },
    async ({ params, caller }, reply) => {
      const project = await projects.openPeople(caller, params.projectId);
      const person = await people.get(project.id, params.distinctId);
      const found = await cohorts.find(project, person, {
        lane: actorOf(caller),
        signal: disconnectSignal(reply.raw),
      });
      return {
        cohorts: found.map(({ id, name, filters }) => ({
          id,
          name,
          is_static: filters === undefined,
        })),
      };
    },
  );
  app.delete(
    '/api/projects/:projectId/persons/:distinctId',
    {
      config: { access: admins },
      schema: {
        tags,
        summary: 'Delete a person with all ids and events, within a minute',
        params: PersonPath,
        response: { 202: ErasureBody },
      },
    },
    async ({ params, caller }, reply) => {
      const { id } = await projects.open(caller, params.projectId);
      const erasure = await people.erase(id, {
        distinctId: params.distinctId,
        by: actorOf(caller),
      });
      reply.code(202);
      return toErasureBody(erasure);
    },
  );
  app.get(
    '/api/projects/:projectId/erasures',
    {
      config: { access: admins },
      schema: {
        tags,
        summary: 'List deletions of persons, newest first',
        params: ProjectPath,
        response: { 200: ErasureList },
      },
    },
    async ({ params, caller }) => {
      const { id } = await projects.open(caller, params.projectId);
      return { erasures: (await people.erasures(id)).map(toErasureBody) };
    },
  );
}

function toBody(person: Person) {
  return {
    id: person.id,
    distinct_ids: [...person.distinctIds],
    properties: { ...person.properties },
    is_identified: person.isIdentified,
    created_at: isoOf(person.createdAt),
    last_seen_at: isoOf(person.lastSeenAt),
  };
}

function toErasureBody({ id, requestedAt, requestedBy, doneAt }: Erasure) {
  return {
    id,
    requested_at: isoOf(requestedAt),
    requested_by: requestedBy,
    ...(doneAt !== undefined && { done_at: isoOf(doneAt) }),
  };
}
