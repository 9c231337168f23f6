import { actorOf, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { Name } from '../flags/schemas.ts';
import type { FlagAccess } from '../tokens/access.ts';
import type { Projects } from './registers.ts';
import { Description, given, KeyPath } from './schemas.ts';

const Owner = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 255,
  pattern: '^(group|user|component|system):[a-z0-9_.-]+/[A-Za-z0-9_.-]+$',
  patternDescription:
    'must be an entity reference such as group:default/payments, of a group, user, component or system',
  description:
    'Who may change the flags: a group or user, or the owner of a component or system.',
});
const Project = Type.Object({
  id: Name,
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Description,
  owner: Owner,
});
const ProjectCreation = Type.Object({
  id: Name,
  name: Type.Optional(Project.properties.name),
  description: Type.String({ ...Description, default: '' }),
  owner: Type.Optional(Owner),
});
const ProjectChanges = Type.Partial(
  Type.Object({
    name: Project.properties.name,
    description: Description,
    owner: Owner,
  }),
);

/** Adds `/api/admin/projects`. */
export function projectRoutes(
  app: ServiceApp,
  { projects, access }: { projects: Projects; access: FlagAccess },
): void {
  const read = { config: { access: access.read } };
  const write = { config: { access: access.write } };
  const create = {
    config: { access: access.write, faults: ['conflict'] },
  } as const;

  const tags = ['projects'];
  app.get(
    '/api/admin/projects',
    {
      ...read,
      schema: {
        tags,
        summary: 'List the projects',
        response: {
          200: Type.Object({
            version: Type.Integer(),
            projects: Type.Array(Project),
          }),
        },
      },
    },
    async () => ({ version: 1, projects: await projects.list() }),
  );
  app.post(
    '/api/admin/projects',
    {
      ...create,
      schema: {
        tags,
        summary: 'Create a project',
        body: ProjectCreation,
        response: { 201: Project },
      },
    },
    async ({ body, caller }, reply) => {
      const { id, name = id, description, owner = null } = body;
      reply.code(201);
      return projects.create({ id, name, description, owner }, actorOf(caller));
    },
  );
  app.get(
    '/api/admin/projects/:key',
    {
      ...read,
      schema: {
        tags,
        summary: 'Get a project',
        params: KeyPath,
        response: { 200: Project },
      },
    },
    ({ params }) => projects.get(params.key),
  );
  app.put(
    '/api/admin/projects/:key',
    {
      ...write,
      schema: {
        tags,
        summary: 'Change the given fields of a project',
        params: KeyPath,
        body: ProjectChanges,
        response: { 200: Project },
      },
    },
    ({ params, body, caller }) =>
      projects.update(params.key, given(body, ProjectChanges), actorOf(caller)),
  );
  app.delete(
    '/api/admin/projects/:key',
    {
      ...create,
      schema: {
        tags,
        summary: 'Delete a project without flags',
        params: KeyPath,
        response: { 200: Project },
      },
    },
    ({ params, caller }) => projects.remove(params.key, actorOf(caller)),
  );
}
