import type { Caller, ServiceApp } from '@slipway/service-kit';
import { actorOf, isMemberOf } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FlagAccess } from './access.ts';

const UserAnswer = Type.Object({
  name: Type.String(),
  mayChange: Type.Boolean({
    description: 'Whether the caller may change flags, tokens and webhooks.',
  }),
  admins: Type.Array(Type.String(), {
    description: 'Groups whose members may.',
  }),
  environment: Type.String(),
  clientUrl: Type.String({ description: 'What SDKs are given as url.' }),
});

/** `GET /api/admin/user`: who the caller is here, so that pages offer what will work. */
export function userRoutes(
  app: ServiceApp,
  options: {
    access: FlagAccess;
    admins: readonly string[];
    environment: string;
    publicUrl: string;
  },
): void {
  const { access, admins, environment, publicUrl } = options;
  const clientUrl = `${publicUrl}${publicUrl.endsWith('/') ? '' : '/'}api`;
  app.get(
    '/api/admin/user',
    {
      config: { access: access.read },
      schema: {
        tags: ['access'],
        summary: 'What the caller may do',
        response: { 200: UserAnswer },
      },
    },
    async ({ caller }) => ({
      name: actorOf(caller),
      mayChange: await mayChange(caller, admins),
      admins: [...admins],
      environment,
      clientUrl,
    }),
  );
}

async function mayChange(
  caller: Caller,
  admins: readonly string[],
): Promise<boolean> {
  return caller.kind === 'bearer' || isMemberOf(caller, admins);
}
