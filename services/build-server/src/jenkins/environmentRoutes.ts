import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import type { BuildLookup } from './BuildLookup.ts';
import { BuildParams } from './schemas.ts';
import { exported, ExportQuery } from './tree.ts';
import { type Addresses, baseUrlOf, buildUrl } from './urls.ts';

/** Registers the route that returns the variables that a build was started with. */
export function environmentRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    lookup: BuildLookup;
    addresses: Addresses;
  },
): void {
  const { permissions, lookup, addresses } = options;
  app.get(
    '/job/:job/:build/injectedEnvVars/api/json',
    {
      config: { access: permissions.read },
      preHandler: exported,
      schema: {
        tags: ['builds'],
        summary:
          'Get the parameters of a build and what identifies it, without secrets',
        params: BuildParams,
        querystring: ExportQuery,
        response: {
          200: Type.Object(
            { envMap: Type.Record(Type.String(), Type.String()) },
            { additionalProperties: true },
          ),
        },
      },
    },
    async request => {
      const build = await lookup.build(request.params);
      return {
        _class: 'org.jenkinsci.plugins.envinject.EnvInjectVarList',
        envMap: {
          ...build.parameters,
          JOB_NAME: build.job,
          BUILD_NUMBER: String(build.number),
          BUILD_ID: String(build.number),
          BUILD_URL: buildUrl(baseUrlOf(request, addresses), build),
        },
      };
    },
  );
}
