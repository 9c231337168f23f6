import { parseCookie } from 'cookie';
import type { CredentialConfig } from '../config/CommonConfig.ts';
import type { Access, Authenticated, Authenticator, Caller } from './Access.ts';
import {
  apiKeyAuthenticator,
  basicAuthenticator,
  bearerAuthenticator,
  budgetOf,
  schemeValue,
} from './credentials.ts';
import type { PortalIdentity } from './PortalIdentity.ts';

/** The cookie that the portal sets at `/api/<plugin>/.backstage/auth/v1/cookie`. */
const PORTAL_COOKIE = 'backstage-auth';

/**
 * Knows users of the portal, in each way in which their sessions arrive: the portal's
 * cookie, which holds a limited token, and as a bearer the token for this service that the
 * portal's proxy sends, or a full token of a caller who asks directly.
 */
function portalUserAuthenticators(identity: PortalIdentity): Authenticator[] {
  const identify = async (
    token: string,
    via: 'cookie' | 'bearer',
  ): Promise<Authenticated> => {
    const { id, groups } = await identity.verify(token, via);
    return {
      caller: { kind: 'user', id, via, groups },
      // By user and not by token: a session renews its tokens all the time.
      budget: budgetOf('user', id),
    };
  };
  return [
    {
      place: 'header:authorization',
      scheme: {
        name: 'portalUser',
        definition: { type: 'http', scheme: 'bearer' },
      },
      challenge: 'Bearer',
      authenticate(request) {
        const token = schemeValue(request.headers.authorization, 'bearer');
        return token === undefined ? undefined : identify(token, 'bearer');
      },
    },
    {
      place: `cookie:${PORTAL_COOKIE}`,
      scheme: {
        name: 'portalSession',
        definition: { type: 'apiKey', in: 'cookie', name: PORTAL_COOKIE },
      },
      sentByBrowsers: true,
      authenticate({ headers: { cookie } }) {
        const token = cookie && parseCookie(cookie)[PORTAL_COOKIE];
        return token ? identify(token, 'cookie') : undefined;
      },
    },
  ];
}

interface Optional {
  /** Lets requests without a credential in; a wrong one is 401 all the same. */
  optional?: boolean;
}

/** Makes the `access` of routes: `{ config: { access: auth.apiKey() } }`. */
export interface Auth {
  /** Open to all; a request counts against its address. */
  readonly anyone: Access;
  /** A key in a header, `X-API-Key` and the configured `auth.apiKeys` when not said. */
  apiKey(
    options?: Optional & {
      header?: string;
      keys?: readonly CredentialConfig[];
    },
  ): Access;
  /** User name and token; a credential's name is the user's. */
  basic(options: Optional & { users: readonly CredentialConfig[] }): Access;
  /** Fixed tokens as `Authorization: Bearer`. */
  bearer(options: Optional & { tokens: readonly CredentialConfig[] }): Access;
  /** A user of the portal, by the portal's cookie or a bearer token. */
  portalUser(options?: Optional): Access;
  /** A user of the portal who is in one of the groups; another user gets 403. */
  admin(groups: readonly string[]): Access;
  /** Any of several kinds; optional as soon as one is. */
  anyOf(...alternatives: Access[]): Access;
  /** Narrows to callers who hold a scope; users of the portal and anonymous ones hold none. */
  scoped(access: Access, scope: string): Access;
  /** Narrows by any rule, asked of known callers alone; 403 where it says no. */
  permit(
    access: Access,
    permits: (caller: Caller) => boolean | Promise<boolean>,
  ): Access;
}

/**
 * Makes the ways of one service to let callers in.
 *
 * @param options.title - of the service: the realm that browsers show for Basic.
 * @param options.apiKeys - what `apiKey()` takes where a route names none.
 */
export function createAuth(options: {
  title: string;
  apiKeys: readonly CredentialConfig[];
  identity: PortalIdentity;
}): Auth {
  const { title, apiKeys, identity } = options;
  const auth: Auth = {
    anyone: { ways: [], optional: true },
    apiKey: ({ header = 'X-API-Key', keys = apiKeys, optional } = {}) =>
      accessBy([apiKeyAuthenticator({ header, keys })], optional),
    basic: ({ users, optional }) =>
      accessBy([basicAuthenticator({ users, realm: title })], optional),
    bearer: ({ tokens, optional }) =>
      accessBy([bearerAuthenticator({ tokens })], optional),
    portalUser: ({ optional } = {}) =>
      accessBy(portalUserAuthenticators(identity), optional),
    admin: groups =>
      auth.permit(auth.portalUser(), caller => isMemberOf(caller, groups)),
    anyOf: (...alternatives) => ({
      ways: alternatives.flatMap(({ ways }) => ways),
      optional: alternatives.some(({ optional }) => optional),
    }),
    scoped: (access, scope) =>
      auth.permit(
        access,
        caller => 'scopes' in caller && caller.scopes.includes(scope),
      ),
    permit: (access, permits) => ({
      ...access,
      ways: access.ways.map(way => ({
        ...way,
        permits: async caller =>
          (await (way.permits?.(caller) ?? true)) && permits(caller),
      })),
    }),
  };
  return auth;
}

function accessBy(
  authenticators: readonly Authenticator[],
  optional = false,
): Access {
  return {
    ways: authenticators.map(authenticator => ({ authenticator })),
    optional,
  };
}

/** Tells whether a caller is a user in one of the groups, given as entity references. */
export async function isMemberOf(
  caller: Caller,
  groups: readonly string[],
): Promise<boolean> {
  if (caller.kind !== 'user') {
    return false;
  }
  const own = new Set((await caller.groups()).map(ref => ref.toLowerCase()));
  return groups.some(group => own.has(group.toLowerCase()));
}
