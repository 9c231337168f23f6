import { actorOf, ConflictError, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { SortOrder } from '../flags/schemas.ts';
import type { FlagAccess } from '../tokens/access.ts';
import type { Environments } from './registers.ts';
import { EnvironmentName, given, KeyPath } from './schemas.ts';

const EnvironmentType = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'development, test, preproduction, production …',
});
const Protected = Type.Boolean({
  description: 'Flags change by approved change requests only.',
});
const RequiredApprovals = Type.Integer({ minimum: 1, maximum: 10 });
const Environment = Type.Object({
  name: EnvironmentName,
  type: EnvironmentType,
  sortOrder: SortOrder,
  enabled: Type.Boolean(),
  protected: Protected,
  requiredApprovals: RequiredApprovals,
});
const EnvironmentCreation = Type.Object({
  name: EnvironmentName,
  type: Type.String({ ...EnvironmentType, default: 'development' }),
  sortOrder: Type.Integer({ ...SortOrder, default: 100 }),
  enabled: Type.Boolean({ default: true }),
  protected: Type.Boolean({ ...Protected, default: false }),
  requiredApprovals: Type.Integer({ ...RequiredApprovals, default: 1 }),
});
const EnvironmentChanges = Type.Partial(
  Type.Object({
    type: EnvironmentType,
    sortOrder: SortOrder,
    enabled: Type.Boolean(),
    protected: Protected,
    requiredApprovals: RequiredApprovals,
  }),
);

/** Adds `/api/admin/environments`. */
export function registerEnvironmentRoutes(
  app: ServiceApp,
  options: {
    environments: Environments;
    /** The service's own environment, which the contract's routes change directly. */
    environment: string;
    access: FlagAccess;
  },
): void {
  const { environments, access } = options;
  const assertProtectable = (
    name: string,
    wanted: { protected?: boolean },
  ): void => {
    if (wanted.protected && name === options.environment) {
      throw new ConflictError(
        `${name} cannot be protected: /api/admin/features changes it directly`,
        { field: 'protected', constraint: 'const' },
      );
    }
  };
  const read = { config: { access: access.read } };
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
      const wanted = given(body, EnvironmentCreation);
      assertProtectable(wanted.name, wanted);
      reply.code(201);
      return environments.create(wanted, actorOf(caller));
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
      ...create,
      schema: {
        tags,
        summary: 'Change the given fields of an environment',
        params: KeyPath,
        body: EnvironmentChanges,
        response: { 200: Environment },
      },
    },
    ({ params, body, caller }) => {
      const changes = given(body, EnvironmentChanges);
      assertProtectable(params.key, changes);
      return environments.update(params.key, changes, actorOf(caller));
    },
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
