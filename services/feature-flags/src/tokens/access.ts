import {
  type Access,
  actorOf,
  type Auth,
  type Caller,
  ForbiddenError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Author } from '../approval/transitions.ts';
import type { ApiToken, TokenType } from '../model/ApiToken.ts';
import type { ProjectOwners } from './ProjectOwners.ts';
import { tokenAuthenticator, type TokenCaller } from './tokenAuthenticator.ts';
import type { TokenRegistry } from './TokenRegistry.ts';

/** The access rules for callers. */
export interface FlagAccess {
  /** Accepts only client tokens, which SDKs send. */
  readonly client: Access;
  /** Accepts only frontend tokens, which SDKs in browsers send. */
  readonly frontend: Access;
  /** Accepts everyone; requests are rate-limited by address. */
  readonly anyone: Access;
  /** Accepts admin tokens, and every user of the portal. */
  readonly read: Access;
  /** Accepts admin tokens, and the portal's flag admins. */
  readonly write: Access;
  /** Accepts admin tokens, and portal users who own the flag named in the path. */
  readonly change: Access;
}

/** Creates the access rules. @param options.admins - entity references of groups that may change flags. */
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
  const tokensOf = (type: TokenType) =>
    auth.permit(byToken, caller => {
      const { type: sent } = tokenOf(caller);
      if (sent !== type) {
        throw new ForbiddenError(
          `This needs a token of the type ${type}; the one sent is of the type ${sent}`,
        );
      }
      return true;
    });
  const admin = tokensOf('admin');
  return {
    client: tokensOf('client'),
    frontend: tokensOf('frontend'),
    anyone: auth.anyone,
    read: auth.anyOf(admin, auth.portalUser()),
    write: auth.anyOf(admin, auth.admin(options.admins)),
    // A different object from `read`, so that hooks can tell them apart: guardChanges
    // checks ownership.
    change: auth.anyOf(admin, auth.portalUser()),
  };
}

/** Returns the token of a request accepted by {@link FlagAccess.client}. */
export function tokenOf(caller: Caller): ApiToken {
  return (caller as TokenCaller).token;
}

/**
 * Allows only owners to change a flag, by every route with {@link FlagAccess.change}
 * whose path names a flag, or a project for a new one. Other routes check ownership in their
 * handlers. Call it before routes are added: unauthorized requests are rejected before the
 * body is read.
 */
export function guardChanges(
  app: ServiceApp,
  { access, owners }: { access: FlagAccess; owners: ProjectOwners },
): void {
  const assertOwner = async ({ params, caller }: FastifyRequest) => {
    const { featureName, projectId } = params as Record<
      string,
      string | undefined
    >;
    if (featureName !== undefined) {
      await owners.assertOwnsFlag(caller, featureName);
    } else if (projectId !== undefined) {
      await owners.assertOwnsProject(caller, projectId);
    }
  };
  app.addHook('onRoute', route => {
    if (route.config?.access === access.change) {
      route.onRequest = [assertOwner, ...[route.onRequest ?? []].flat()];
    }
  });
}

const UserResponse = Type.Object({
  name: Type.String(),
  mayChange: Type.Boolean({
    description: 'Whether the caller may change flags, tokens and webhooks.',
  }),
  projects: Type.Array(Type.String(), {
    description: 'Projects whose flags the caller may change.',
  }),
  admins: Type.Array(Type.String(), {
    description: 'Groups whose members may change them.',
  }),
  environment: Type.String(),
  clientUrl: Type.String({ description: 'The URL to configure in SDKs.' }),
});

/** Adds `GET /api/admin/user`: the caller's permissions, so that pages offer only what is allowed. */
export function userRoutes(
  app: ServiceApp,
  options: {
    access: FlagAccess;
    owners: ProjectOwners;
    admins: readonly string[];
    environment: string;
    publicUrl: string;
  },
): void {
  const { access, owners, admins, environment, publicUrl } = options;
  const clientUrl = `${publicUrl}${publicUrl.endsWith('/') ? '' : '/'}api`;
  app.get(
    '/api/admin/user',
    {
      config: { access: access.read },
      schema: {
        tags: ['access'],
        summary: "Get the caller's permissions",
        response: { 200: UserResponse },
      },
    },
    async ({ caller }) => ({
      name: actorOf(caller),
      mayChange: await owners.isAdmin(caller),
      projects: await owners.ownedBy(caller),
      admins: [...admins],
      environment,
      clientUrl,
    }),
  );
}

/** Returns the author of a request; for a token, including the person who created it. */
export function authorOf(caller: Caller): Author {
  const by = actorOf(caller);
  return caller.kind === 'user'
    ? { by, principals: [by], isPerson: true }
    : { by, principals: [by, tokenOf(caller).createdBy], isPerson: false };
}
