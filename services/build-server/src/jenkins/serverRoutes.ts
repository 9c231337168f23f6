import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import { exported, ExportQuery } from './exported.ts';

/** What clients of Jenkins ask of the server itself. */
export function serverRoutes(
  app: ServiceApp,
  { permissions }: { permissions: Permissions },
): void {
  const config = { access: permissions.read };

  // Clients ask for it before every POST. Requests bring their credentials themselves,
  // so there is nothing to guard, and any crumb is good.
  app.get(
    '/crumbIssuer/api/json',
    {
      config,
      preHandler: exported,
      schema: {
        tags: ['server'],
        summary: 'Read the crumb that clients send along',
        querystring: ExportQuery,
        response: {
          200: Type.Object({
            _class: Type.String(),
            crumb: Type.String(),
            crumbRequestField: Type.String(),
          }),
        },
      },
    },
    async () => ({
      _class: 'org.slipway.CrumbIssuer',
      crumb: 'none-needed',
      crumbRequestField: 'Jenkins-Crumb',
    }),
  );

  app.get(
    '/me/api/json',
    {
      config,
      preHandler: exported,
      schema: {
        tags: ['server'],
        summary: 'Read who calls',
        querystring: ExportQuery,
        response: {
          200: Type.Object({ id: Type.String(), fullName: Type.String() }),
        },
      },
    },
    async ({ caller }) => {
      // As Jenkins answers: the user name of the credential.
      const id = caller.kind === 'anonymous' ? 'anonymous' : caller.id;
      return { id, fullName: id };
    },
  );
}
