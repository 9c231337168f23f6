import { actorOf, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { Name } from '../flags/schemas.ts';
import type { FlagAccess } from '../tokens/access.ts';
import type { ContextFields, Environments, Projects } from './registers.ts';

const SortOrder = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 });

const Description = Type.String({ maxLength: 10_000 });

const Project = Type.Object({
  id: Name,
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Description,
});
const ProjectCreation = Type.Object({
  id: Name,
  name: Type.Optional(Project.properties.name),
  description: Type.String({ ...Description, default: '' }),
});
const ProjectChanges = Type.Partial(
  Type.Object({
    name: Project.properties.name,
    description: Description,
  }),
);

/** As it stands in tokens. */
const EnvironmentName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!__proto__$)[A-Za-z0-9_~-]+$',
  patternDescription: 'must contain only letters, digits and _ ~ -',
});
const EnvironmentType = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'development, test, preproduction, production …',
});
const Environment = Type.Object({
  name: EnvironmentName,
  type: EnvironmentType,
  sortOrder: SortOrder,
  enabled: Type.Boolean(),
});
const EnvironmentCreation = Type.Object({
  name: EnvironmentName,
  type: Type.String({ ...EnvironmentType, default: 'development' }),
  sortOrder: Type.Integer({ ...SortOrder, default: 100 }),
  enabled: Type.Boolean({ default: true }),
});
const EnvironmentChanges = Type.Partial(
  Type.Object({
    type: EnvironmentType,
    sortOrder: SortOrder,
    enabled: Type.Boolean(),
  }),
);

const FieldName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!__proto__$)[^\\s/]+$',
  patternDescription: 'must not contain spaces or slashes',
});
const LegalValues = Type.Array(
  Type.Object({
    value: Type.String({ minLength: 1, maxLength: 1_000 }),
    description: Type.Optional(Type.String({ maxLength: 1_000 })),
  }),
  { maxItems: 1_000 },
);
const contextField = {
  description: Description,
  stickiness: Type.Boolean(),
  sortOrder: SortOrder,
  legalValues: LegalValues,
};
const ContextField = Type.Object({ name: FieldName, ...contextField });
const ContextFieldCreation = Type.Object({
  name: FieldName,
  description: Type.String({ ...Description, default: '' }),
  stickiness: Type.Boolean({ default: false }),
  sortOrder: Type.Integer({ ...SortOrder, default: 100 }),
  legalValues: Type.Array(LegalValues.items, {
    maxItems: 1_000,
    default: [],
  }),
});
const ContextFieldChanges = Type.Partial(Type.Object(contextField));

/** The path of one record. */
const KeyPath = Type.Object({ key: Type.String() });

/** Adds `/api/admin/projects`, `/api/admin/environments` and `/api/admin/context`. */
export function registerRoutes(
  app: ServiceApp,
  options: {
    environments: Environments;
    projects: Projects;
    contextFields: ContextFields;
    access: FlagAccess;
  },
): void {
  const { environments, projects, contextFields, access } = options;
  const read = { config: { access: access.read } };
  const write = { config: { access: access.write } };
  const create = {
    config: { access: access.write, faults: ['conflict'] },
  } as const;

  const ofProjects = ['projects'];
  app.get(
    '/api/admin/projects',
    {
      ...read,
      schema: {
        tags: ofProjects,
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
        tags: ofProjects,
        summary: 'Create a project',
        body: ProjectCreation,
        response: { 201: Project },
      },
    },
    async ({ body, caller }, reply) => {
      const { id, name = id, description } = body;
      reply.code(201);
      return projects.create({ id, name, description }, actorOf(caller));
    },
  );
  app.get(
    '/api/admin/projects/:key',
    {
      ...read,
      schema: {
        tags: ofProjects,
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
        tags: ofProjects,
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
        tags: ofProjects,
        summary: 'Delete a project without flags',
        params: KeyPath,
        response: { 200: Project },
      },
    },
    ({ params, caller }) => projects.remove(params.key, actorOf(caller)),
  );

  const ofEnvironments = ['environments'];
  app.get(
    '/api/admin/environments',
    {
      ...read,
      schema: {
        tags: ofEnvironments,
        summary: 'List the environments',
        response: {
          200: Type.Object({
            version: Type.Integer(),
            environments: Type.Array(Environment),
          }),
        },
      },
    },
    async () => ({ version: 1, environments: await environments.list() }),
  );
  app.post(
    '/api/admin/environments',
    {
      ...create,
      schema: {
        tags: ofEnvironments,
        summary: 'Create an environment, in which every flag is off',
        body: EnvironmentCreation,
        response: { 201: Environment },
      },
    },
    async ({ body, caller }, reply) => {
      const { name, type, sortOrder, enabled } = body;
      reply.code(201);
      return environments.create(
        { name, type, sortOrder, enabled },
        actorOf(caller),
      );
    },
  );
  app.get(
    '/api/admin/environments/:key',
    {
      ...read,
      schema: {
        tags: ofEnvironments,
        summary: 'Get an environment',
        params: KeyPath,
        response: { 200: Environment },
      },
    },
    ({ params }) => environments.get(params.key),
  );
  app.put(
    '/api/admin/environments/:key',
    {
      ...write,
      schema: {
        tags: ofEnvironments,
        summary: 'Change the given fields of an environment',
        params: KeyPath,
        body: EnvironmentChanges,
        response: { 200: Environment },
      },
    },
    ({ params, body, caller }) =>
      environments.update(
        params.key,
        given(body, EnvironmentChanges),
        actorOf(caller),
      ),
  );
  app.delete(
    '/api/admin/environments/:key',
    {
      ...create,
      schema: {
        tags: ofEnvironments,
        summary: 'Delete an environment without tokens',
        params: KeyPath,
        response: { 200: Environment },
      },
    },
    ({ params, caller }) => environments.remove(params.key, actorOf(caller)),
  );

  const ofContext = ['context'];
  app.get(
    '/api/admin/context',
    {
      ...read,
      schema: {
        tags: ofContext,
        summary: 'List the context fields',
        response: { 200: Type.Array(ContextField) },
      },
    },
    async () => (await contextFields.list()).map(presentField),
  );
  app.post(
    '/api/admin/context',
    {
      ...create,
      schema: {
        tags: ofContext,
        summary: 'Create a context field',
        body: ContextFieldCreation,
        response: { 201: ContextField },
      },
    },
    async ({ body, caller }, reply) => {
      const { name, description, stickiness, sortOrder, legalValues } = body;
      const field = { name, description, stickiness, sortOrder, legalValues };
      reply.code(201);
      return presentField(await contextFields.create(field, actorOf(caller)));
    },
  );
  app.get(
    '/api/admin/context/:key',
    {
      ...read,
      schema: {
        tags: ofContext,
        summary: 'Get a context field',
        params: KeyPath,
        response: { 200: ContextField },
      },
    },
    async ({ params }) => presentField(await contextFields.get(params.key)),
  );
  app.put(
    '/api/admin/context/:key',
    {
      ...write,
      schema: {
        tags: ofContext,
        summary: 'Change the given fields of a context field',
        params: KeyPath,
        body: ContextFieldChanges,
        response: { 200: ContextField },
      },
    },
    async ({ params, body, caller }) =>
      presentField(
        await contextFields.update(
          params.key,
          given(body, ContextFieldChanges),
          actorOf(caller),
        ),
      ),
  );
  app.delete(
    '/api/admin/context/:key',
    {
      ...create,
      schema: {
        tags: ofContext,
        summary: 'Delete a custom context field',
        params: KeyPath,
        response: { 200: ContextField },
      },
    },
    async ({ params, caller }) =>
      presentField(await contextFields.remove(params.key, actorOf(caller))),
  );
}

function presentField(field: Awaited<ReturnType<ContextFields['get']>>) {
  return { ...field, legalValues: [...field.legalValues] };
}

/** What a body says of the fields that its schema knows. */
function given<T extends object>(
  body: T,
  { properties }: { properties: object },
): T {
  return Object.fromEntries(
    Object.entries(body).filter(([key]) => Object.hasOwn(properties, key)),
  ) as T;
}
