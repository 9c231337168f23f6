import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { authorOf, type FlagAccess } from '../tokens/access.ts';
import { TRANSFER_BODY_LIMIT } from '../transfer/schemas.ts';
import type { FlagDefinitions } from './FlagDefinitions.ts';
import { Definitions, DefinitionsQuery, DefinitionsReport } from './schemas.ts';

const tags = ['definitions'];

/** Adds `/api/admin/definitions`: flags as a file in a repository defines them. */
export function definitionRoutes(
  app: ServiceApp,
  options: { definitions: FlagDefinitions; access: FlagAccess },
): void {
  const { definitions, access } = options;
  const bodyLimit = TRANSFER_BODY_LIMIT;

  app.get(
    '/api/admin/definitions',
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'Get flags and segments as definitions',
        querystring: DefinitionsQuery,
        response: { 200: Type.Record(Type.String(), Type.Unknown()) },
      },
    },
    async ({ query }) => ({ ...(await definitions.export(query.project)) }),
  );

  app.get(
    '/api/admin/definitions/schema',
    {
      // Exported files link to it, and editors load it without a credential.
      config: { access: access.anyone },
      schema: {
        tags,
        summary: 'Get the JSON schema of definitions',
        response: { 200: Type.Record(Type.String(), Type.Unknown()) },
      },
    },
    async () => ({ ...definitionsSchema() }),
  );

  app.post(
    '/api/admin/definitions/diff',
    {
      config: { access: access.write },
      bodyLimit,
      schema: {
        tags,
        summary: 'Report what applying definitions would change',
        body: Definitions,
        response: { 200: DefinitionsReport },
      },
    },
    async ({ body }) => ({
      ...(await definitions.diff(body)),
      permissions: [],
    }),
  );

  app.post(
    '/api/admin/definitions/apply',
    {
      config: { access: access.write },
      bodyLimit,
      schema: {
        tags,
        summary:
          'Apply definitions, all or nothing; changes to protected environments become change requests',
        body: Definitions,
        response: { 200: DefinitionsReport },
      },
    },
    async ({ body, caller }) => ({
      ...(await definitions.apply(body, authorOf(caller))),
      permissions: [],
    }),
  );
}

/** The JSON schema of definitions, for editors and other programs. */
export function definitionsSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...JSON.parse(JSON.stringify(Definitions)),
  };
}
