import type { Access, ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import type { ExecutorStatus } from '../execution/Executor.ts';
import type { ProbeImages } from '../execution/openExecutor.ts';
import { JobSchema } from '../jobs/Job.ts';
import { AnyObject, nullable } from './schemas.ts';
import { exported, ExportQuery } from './tree.ts';
import { type Addresses, baseUrlOf } from './urls.ts';

const StatusFields = {
  kind: Type.Unsafe<ExecutorStatus['kind']>(
    Type.String({
      enum: ['bubblewrap', 'none', 'containers', 'kubernetes', 'elsewhere'],
    }),
  ),
  limits: nullable(Type.String()),
  gaps: Type.Array(Type.String()),
};

const IsolationAnswer = Type.Object({
  ...StatusFields,
  containers: nullable(
    Type.Object({
      ...StatusFields,
      engine: nullable(Type.String()),
      fault: nullable(Type.String()),
    }),
  ),
});

const CrumbAnswer = Type.Object({
  _class: Type.String(),
  crumb: Type.String(),
  crumbRequestField: Type.String(),
});

const CallerAnswer = Type.Object({
  id: Type.String(),
  fullName: Type.String(),
});

/** Registers the routes about the server itself, mostly for clients of Jenkins. */
export function serverRoutes(
  app: ServiceApp,
  {
    anyone,
    permissions,
    isolation,
    probeImages,
    addresses,
  }: {
    anyone: Access;
    permissions: Permissions;
    isolation: ExecutorStatus;
    probeImages: ProbeImages;
    addresses: Addresses;
  },
): void {
  const config = { access: permissions.read };

  // Clients request it before every POST. Requests carry their credentials explicitly, so
  // CSRF is not possible, and any crumb is accepted.
  for (const form of ['json', 'xml']) {
    app.get(
      `/crumbIssuer/api/${form}`,
      {
        config,
        preHandler: exported,
        schema: {
          tags: ['server'],
          summary: 'Get the crumb for clients that ask for one',
          querystring: ExportQuery,
          response: { 200: CrumbAnswer },
        },
      },
      async () => ({
        _class: 'org.slipway.CrumbIssuer',
        crumb: 'none-needed',
        crumbRequestField: 'Jenkins-Crumb',
      }),
    );
  }

  app.get(
    '/pluginManager/api/json',
    {
      config,
      preHandler: exported,
      schema: {
        tags: ['server'],
        summary: 'List plugins, of which there are none',
        querystring: ExportQuery,
        response: { 200: AnyObject },
      },
    },
    async () => ({ _class: 'hudson.LocalPluginManager', plugins: [] }),
  );

  app.get(
    '/whoAmI/api/json',
    {
      config,
      preHandler: exported,
      schema: {
        tags: ['server'],
        summary: 'Get the caller in the format of Jenkins',
        querystring: ExportQuery,
        response: { 200: AnyObject },
      },
    },
    async ({ caller }) => ({
      _class: 'hudson.security.WhoAmI',
      name: caller.kind === 'anonymous' ? 'anonymous' : caller.id,
      anonymous: caller.kind === 'anonymous',
      authenticated: caller.kind !== 'anonymous',
      authorities: ['authenticated'],
    }),
  );

  app.get(
    '/me/api/json',
    {
      config,
      preHandler: exported,
      schema: {
        tags: ['server'],
        summary: 'Get the caller',
        querystring: ExportQuery,
        response: { 200: CallerAnswer },
      },
    },
    async ({ caller }) => {
      // Like Jenkins: the user name of the credential.
      const id = caller.kind === 'anonymous' ? 'anonymous' : caller.id;
      return { id, fullName: id };
    },
  );

  // Editors fetch it without a credential.
  app.get(
    '/schemas/job.json',
    {
      config: { access: anyone },
      schema: {
        tags: ['server'],
        summary: 'Read the JSON schema of job files and pipelines',
        response: { 200: AnyObject },
      },
    },
    async request => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `${baseUrlOf(request, addresses)}/schemas/job.json`,
      title: 'Job of the Slipway build server',
      ...JobSchema,
    }),
  );

  app.get(
    '/isolation',
    {
      config,
      schema: {
        tags: ['server'],
        summary:
          'Get the isolation of build steps and the state of the container engine',
        response: { 200: IsolationAnswer },
      },
    },
    async () => ({ ...isolation, containers: await probeImages() }),
  );
}
