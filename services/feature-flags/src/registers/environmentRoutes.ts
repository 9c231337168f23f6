import { actorOf, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FlagAccess } from '../tokens/access.ts';
import type { Environments } from './registers.ts';
import { given, KeyPath, SortOrder } from './schemas.ts';

/** The name of an environment, as tokens contain it. */
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

/** Adds `/api/admin/environments`. */
export function registerEnvironmentRoutes(
  app: ServiceApp,
  { environments, access }: { environments: Environments; access: FlagAccess },
): void {
  const read = { config: { access: access.read } };
  const write = { config: { access: access.write } };
  const create = {
    config: { access: access.write, faults: ['conflict'] },
  } as const;

  const tags = ['environments'];
  app.get(
    '/api/admin/environments',
    {
      ...read,
      schema: {
        tags,
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
        tags,
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
        tags,
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
        tags,
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
        tags,
        summary: 'Delete an environment without tokens',
        params: KeyPath,
        response: { 200: Environment },
      },
    },
    ({ params, caller }) => environments.remove(params.key, actorOf(caller)),
  );
}
