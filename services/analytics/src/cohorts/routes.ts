import { isoOf } from '@slipway/entity-contract';
import {
  type Access,
  actorOf,
  disconnectSignal,
  preconditionOf,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyReply } from 'fastify';
import { presentPage } from '../projects/pages.ts';
import { ProjectPath } from '../projects/schemas.ts';
import { unwrapQuery } from '../query/unwrapQuery.ts';
import type { CohortPeopleReader } from './CohortPeopleReader.ts';
import { type Cohorts, type ReadCohort, tagOf } from './Cohorts.ts';
import {
  placeOf,
  readContent,
  readListChange,
  readNewCohort,
} from './readCohort.ts';
import {
  ChangedCohort,
  CohortBody,
  CohortList,
  CohortPath,
  CohortPeople,
  ListQuery,
  NewCohort,
  PeopleQuery,
} from './schemas.ts';

/** Maximum bytes of a body; the ids of a full fixed list have at most 50 characters on average. */
const MOST_BYTES = 1024 * 1024;

/** Adds the routes of cohorts, as in PostHog. */
export function cohortRoutes(
  app: ServiceApp,
  options: {
    cohorts: Cohorts;
    people: CohortPeopleReader;
    users: Access;
    readers: Access;
  },
): void {
  const { cohorts, people, users, readers } = options;
  const tags = ['cohorts'];
  const url = '/api/projects/:projectId/cohorts';

  app.get(
    url,
    {
      config: { access: readers },
      schema: {
        tags,
        summary: 'List the cohorts of a project, by name',
        params: ProjectPath,
        querystring: ListQuery,
        response: { 200: CohortList },
      },
    },
    async ({ params, query, caller }) => {
      const { limit, offset } = query;
      const found = await cohorts.list(caller, params.projectId);
      return presentPage(
        { route: url, projectId: params.projectId, query },
        {
          count: found.length,
          results: found.slice(offset, offset + limit).map(present),
        },
      );
    },
  );
  app.post(
    url,
    {
      config: { access: users, faults: ['conflict'] },
      bodyLimit: MOST_BYTES,
      preValidation: unwrapQuery,
      schema: {
        tags,
        summary: 'Save a cohort: conditions, or a fixed list of people',
        params: ProjectPath,
        body: NewCohort,
        response: { 201: CohortBody },
      },
    },
    async ({ params, body, caller }, reply) => {
      const { content, list } = readNewCohort(body);
      const requester = {
        lane: actorOf(caller),
        signal: disconnectSignal(reply.raw),
      };
      reply.code(201);
      return send(
        reply,
        await cohorts.create(caller, params.projectId, {
          content,
          ...(body.filters && { field: placeOf(body.filters) }),
          ...(list && {
            listed: async project => ({
              field: list.ids.length > 0 ? 'distinct_ids' : 'query',
              ids: [
                ...list.ids,
                ...(list.query
                  ? await people.ids(project, list.query, requester)
                  : []),
              ],
            }),
          }),
        }),
      );
    },
  );
  app.get(
    `${url}/:id`,
    {
      config: { access: readers },
      schema: {
        tags,
        summary: 'Get a cohort',
        params: CohortPath,
        response: { 200: CohortBody },
      },
    },
    async ({ params, caller }, reply) =>
      send(reply, await cohorts.get(caller, params)),
  );
  app.patch(
    `${url}/:id`,
    {
      config: { access: users, faults: ['preconditionFailed'] },
      bodyLimit: MOST_BYTES,
      schema: {
        tags,
        summary:
          'Change a cohort: its texts, its conditions, or the people of a fixed list',
        params: CohortPath,
        headers: preconditionOf('cohort'),
        body: ChangedCohort,
        response: { 200: CohortBody },
      },
    },
    async ({ params, body, caller, headers }, reply) =>
      send(
        reply,
        await cohorts.change(caller, params, {
          content: readContent(body),
          ...(body.filters && { field: placeOf(body.filters) }),
          list: readListChange(body),
          ifMatch: headers['if-match'],
        }),
      ),
  );
  app.delete(
    `${url}/:id`,
    {
      config: { access: users, faults: ['conflict', 'preconditionFailed'] },
      schema: {
        tags,
        summary: 'Delete a cohort; 409 if a saved insight uses it',
        params: CohortPath,
        headers: preconditionOf('cohort'),
      },
    },
    async ({ params, caller, headers }) => {
      await cohorts.remove(caller, params, { ifMatch: headers['if-match'] });
      return {};
    },
  );
  app.post(
    `${url}/:id/duplicate`,
    {
      config: { access: users, faults: ['conflict'] },
      schema: {
        tags,
        summary: 'Copy a cohort, with its conditions or its people',
        params: CohortPath,
        response: { 201: CohortBody },
      },
    },
    async ({ params, caller }, reply) => {
      reply.code(201);
      return send(reply, await cohorts.duplicate(caller, params));
    },
  );
  app.get(
    `${url}/:id/persons`,
    {
      config: { access: readers },
      schema: {
        tags,
        summary: 'List the people of a cohort, those with most events first',
        params: CohortPath,
        querystring: PeopleQuery,
        response: { 200: CohortPeople },
      },
    },
    async ({ params, query, caller }, reply) => {
      const { id } = await cohorts.get(caller, params);
      return people.list(caller, {
        projectId: params.projectId,
        id,
        page: query,
        requester: {
          lane: actorOf(caller),
          signal: disconnectSignal(reply.raw),
        },
      });
    },
  );
}

function send(reply: FastifyReply, cohort: ReadCohort) {
  reply.header('etag', tagOf(cohort));
  return present(cohort);
}

function present(cohort: ReadCohort) {
  const { filters } = cohort;
  return {
    id: cohort.id,
    name: cohort.name,
    description: cohort.description,
    is_static: filters === undefined,
    ...(filters && { filters: { properties: filters.properties } }),
    ...(cohort.listed !== undefined && { count: cohort.listed }),
    version: cohort.version,
    created_by: cohort.createdBy,
    created_at: isoOf(cohort.createdAt),
    updated_at: isoOf(cohort.updatedAt),
    may_change: cohort.mayChange,
  };
}
