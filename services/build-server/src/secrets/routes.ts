import {
  actorOf,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import { Epoch, nullable } from '../jenkins/schemas.ts';
import { globFault } from '../jobs/globs.ts';
import type { ManagedSecrets } from './ManagedSecrets.ts';

const SecretName = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,99}$',
  patternDescription:
    'must contain at most 100 lower-case letters, digits and . _ -',
});
const Params = Type.Object({ name: SecretName });

const SecretBody = Type.Object({
  value: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 65_536,
      description: 'Kept as it is if left out.',
    }),
  ),
  jobs: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: 100,
    description: 'Names of the jobs that may use it.',
  }),
  branches: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 100,
    default: [],
    description:
      'Globs of the only branches whose builds get it, e.g. `main`; pull requests never do then. Empty for all.',
  }),
});

const ListedSecret = Type.Object({
  name: Type.String(),
  origin: Type.Unsafe<'configuration' | 'stored'>(
    Type.String({ enum: ['configuration', 'stored'] }),
  ),
  jobs: Type.Array(Type.String()),
  branches: Type.Array(Type.String()),
  updatedAt: nullable(Epoch),
  updatedBy: nullable(Type.String()),
  lastUsedAt: nullable(Epoch),
  lastUsedBy: nullable(
    Type.String({ description: 'The build, e.g. `shop #3`.' }),
  ),
  readable: Type.Boolean({
    description: 'False if it was encrypted with another key.',
  }),
});

const SecretsAnswer = Type.Object({
  storable: Type.Boolean({ description: 'Whether secrets can be stored.' }),
  secrets: Type.Array(ListedSecret),
});

/** Registers the routes by which admins manage secrets. No route returns a value. */
export function secretRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    secrets: ManagedSecrets;
    /** Applies a change to the jobs of this process. */
    apply(): Promise<void>;
  },
): void {
  const { permissions, secrets, apply } = options;
  const access = permissions.admin;
  const tags = ['secrets'];

  app.get(
    '/secrets',
    {
      config: { access },
      schema: {
        tags,
        summary: 'List secrets, without their values',
        response: { 200: SecretsAnswer },
      },
    },
    async () => ({
      storable: secrets.canStore,
      secrets: (await secrets.list()).map(secret => ({
        ...secret,
        jobs: [...secret.jobs],
        branches: [...secret.branches],
      })),
    }),
  );

  app.put(
    '/secrets/:name',
    {
      config: { access, faults: ['conflict', 'notFound'] },
      schema: {
        tags,
        summary: 'Create or replace a secret',
        params: Params,
        body: SecretBody,
        response: {
          201: { description: 'Created.' },
          204: { description: 'Replaced.' },
        },
      },
    },
    async ({ params, body, caller }, reply) => {
      assertBounded(body.branches);
      const isNew = await secrets.put(params.name, {
        ...body,
        by: actorOf(caller),
      });
      await apply();
      return reply.code(isNew ? 201 : 204).send();
    },
  );

  app.delete(
    '/secrets/:name',
    {
      config: { access, faults: ['conflict'] },
      schema: {
        tags,
        summary: 'Delete a secret',
        params: Params,
        response: { 204: { description: 'Deleted.' } },
      },
    },
    async ({ params }, reply) => {
      await secrets.remove(params.name);
      await apply();
      return reply.code(204).send();
    },
  );
}

/** @throws InvalidRequestError if matching a glob could take very long. */
function assertBounded(branches: readonly string[]): void {
  for (const [index, glob] of branches.entries()) {
    const fault = globFault(glob);
    if (fault !== undefined) {
      const field = `branches.${index}`;
      throw new InvalidRequestError(`${field} ${fault}`, {
        field,
        constraint: 'pattern',
      });
    }
  }
}
