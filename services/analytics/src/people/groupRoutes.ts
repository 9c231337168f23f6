import { isoOf } from '@slipway/entity-contract';
import {
  type Access,
  type Caller,
  type ServiceApp,
} from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import { GROUP_OWNERS } from '../query/language/Expression.ts';
import type { Groups } from './Groups.ts';
import type { Timelines } from './Timelines.ts';
import {
  GroupBody,
  GroupList,
  GroupPath,
  GroupsQuery,
  GroupTypeList,
  Timeline,
  TimelineQuery,
} from './schemas.ts';
import type { Group } from './storage/GroupStore.ts';

/** Adds the routes of groups. */
export function groupRoutes(
  app: ServiceApp,
  options: {
    groups: Groups;
    projects: Projects;
    timelines: Timelines;
    tokensAndUsers: Access;
    admins: Access;
  },
): void {
  const { groups, projects, timelines, tokensAndUsers, admins } = options;
  const tags = ['groups'];
  const open = async (caller: Caller, projectId: string) =>
    (await projects.openPeople(caller, projectId)).id;

  app.get(
    '/api/projects/:projectId/group-types',
    {
      config: { access: tokensAndUsers },
      schema: {
        tags,
        summary: 'List the types of groups, at most five',
        params: ProjectPath,
        response: { 200: GroupTypeList },
      },
    },
    async ({ params, caller }) => ({
      group_types: await groups.types(await open(caller, params.projectId)),
    }),
  );
  app.get(
    '/api/projects/:projectId/groups',
    {
      config: { access: tokensAndUsers },
      schema: {
        tags,
        summary: 'List the groups of a type, the newest first',
        params: ProjectPath,
        querystring: GroupsQuery,
        response: { 200: GroupList },
      },
    },
    async ({ params, query, caller }) => {
      const { limit, ...rest } = query;
      const found = await groups.list(await open(caller, params.projectId), {
        ...rest,
        limit: limit + 1,
      });
      return {
        groups: found.slice(0, limit).map(toBody),
        has_more: found.length > limit,
      };
    },
  );
  app.get(
    '/api/projects/:projectId/groups/:type/:key',
    {
      config: { access: tokensAndUsers },
      schema: {
        tags,
        summary: 'Get a group with its properties',
        params: GroupPath,
        response: { 200: GroupBody },
      },
    },
    async ({ params, caller }) =>
      toBody(await groups.get(await open(caller, params.projectId), params)),
  );
  app.get(
    '/api/projects/:projectId/groups/:type/:key/events',
    {
      config: { access: tokensAndUsers },
      schema: {
        tags,
        summary: 'List the events of a group, the latest first',
        params: GroupPath,
        querystring: TimelineQuery,
        response: { 200: Timeline },
      },
    },
    async ({ params, query, caller }) => {
      const projectId = await open(caller, params.projectId);
      const { type, key } = await groups.get(projectId, params);
      const index = await groups.indexOf(projectId, { type, key });
      return timelines.read(
        { projectId, column: GROUP_OWNERS[index], values: [key] },
        query,
      );
    },
  );
  app.delete(
    '/api/projects/:projectId/groups/:type/:key',
    {
      config: { access: admins },
      schema: {
        tags,
        summary:
          'Delete a group with its properties; its events remain, and the next one creates it again',
        params: GroupPath,
      },
    },
    async ({ params, caller }) => {
      const { id } = await projects.open(caller, params.projectId);
      await groups.remove(id, params);
      return {};
    },
  );
}

function toBody({ type, key, properties, createdAt }: Group) {
  return {
    type,
    key,
    properties: { ...properties },
    created_at: isoOf(createdAt),
  };
}
