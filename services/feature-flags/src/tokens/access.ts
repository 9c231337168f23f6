import {
  type Access,
  actorOf,
  type Auth,
  type Caller,
  isMemberOf,
  type ServiceApp,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import type { ApiToken } from '../model/ApiToken.ts';
import {
  tokenAuthenticator,
  type TokenCaller,
  type TokenRegistry,
} from './tokenAuthenticator.ts';

/** The rules by which callers are let in. */
export interface FlagAccess {
  /** Lets in client tokens alone, which SDKs send. */
  readonly client: Access;
  /** Lets in frontend tokens alone, which SDKs in browsers send. */
  readonly frontend: Access;
  /** Lets in everybody; a request counts against its address. */
  readonly anyone: Access;
  /** Lets in admin tokens, and every user of the portal. */
  readonly read: Access;
  /** Lets in admin tokens, and the portal's admins of flags. */
  readonly write: Access;
}

/** @param options.admins - entity references of the groups that may change flags. */
export function flagAccess(
  auth: Auth,
  options: {
    tokens: TokenRegistry;
    admins: readonly string[];
    now: () => number;
  },
): FlagAccess {
  const byToken: Access = {
    ways: [{ authenticator: tokenAuthenticator(options.tokens, options.now) }],
    optional: false,
  };
  const admin = auth.scoped(byToken, 'admin');
  return {
    client: auth.scoped(byToken, 'client'),
    frontend: auth.scoped(byToken, 'frontend'),
    anyone: auth.anyone,
    read: auth.anyOf(admin, auth.portalUser()),
    write: auth.anyOf(admin, auth.admin(options.admins)),
  };
}

/** The token of a request that {@link FlagAccess.client} let in. */
export function tokenOf(caller: Caller): ApiToken {
  return (caller as TokenCaller).token;
}

const UserAnswer = Type.Object({
  name: Type.String(),
  mayChange: Type.Boolean({
    description: 'Whether the caller may change flags, tokens and webhooks.',
  }),
  admins: Type.Array(Type.String(), {
    description: 'Groups whose members may change them.',
  }),
  environment: Type.String(),
  clientUrl: Type.String({ description: 'The url to configure in SDKs.' }),
});

/** Adds `GET /api/admin/user`: what the caller may do, so that pages offer what will work. */
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
        summary: "Get the caller's permissions",
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
