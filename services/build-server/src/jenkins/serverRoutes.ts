import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import type { IsolationStatus } from '../isolation/Isolation.ts';
import { exported, ExportQuery } from './tree.ts';

/** What is asked of the server itself, mostly by clients of Jenkins. */
export function serverRoutes(
  app: ServiceApp,
  {
    permissions,
    isolation,
  }: { permissions: Permissions; isolation: IsolationStatus },
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
        summary: 'Get the crumb for clients that ask for one',
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
        summary: 'Get the caller',
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

  app.get(
    '/isolation',
    {
      config,
      schema: {
        tags: ['server'],
        summary: 'Get how the steps of builds are isolated from the server',
        response: {
          200: Type.Object({
            kind: Type.Unsafe<IsolationStatus['kind']>(
              Type.String({ enum: ['bubblewrap', 'none', 'elsewhere'] }),
            ),
            gaps: Type.Array(Type.String()),
          }),
        },
      },
    },
    async () => isolation,
  );
}
