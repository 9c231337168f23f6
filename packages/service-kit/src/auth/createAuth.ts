import { parseCookie } from 'cookie';
import type { CredentialConfig } from '../config/CommonConfig.ts';
import type { Access, Authenticated, Authenticator, Caller } from './Access.ts';
import type { CredentialUses } from './CredentialUses.ts';
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
 * Creates the authenticators for portal users, one for each way their sessions arrive: the portal's
 * cookie, which holds a limited token, and a bearer token, which is either the token that the
 * portal's proxy issues for this service or the full token of a caller who calls directly.
 */
function portalUserAuthenticators(identity: PortalIdentity): Authenticator[] {
  const identify = async (
    token: string,
    via: 'cookie' | 'bearer',
  ): Promise<Authenticated> => {
    const { id, groups, fromPages } = await identity.verify(token, via);
    return {
      caller: { kind: 'user', id, via, groups },
      // Counted per user, not per token: a session renews its token frequently.
      budget: budgetOf('user', id),
      fromPages,
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
  /** Allows requests without a credential; an invalid one still gets 401. */
  optional?: boolean;
}

/** Creates the `access` of routes: `{ config: { access: auth.apiKey() } }`. */
export interface Auth {
  /** Open to everyone; requests count against their address. */
  readonly anyone: Access;
  /** A key in a header. Defaults to `X-API-Key` and the configured `auth.apiKeys`. */
  apiKey(
    options?: Optional & {
      header?: string;
      keys?: readonly CredentialConfig[];
    },
  ): Access;
  /** User name and token; the name of a credential is the user name. */
  basic(options: Optional & { users: readonly CredentialConfig[] }): Access;
  /** Fixed tokens as `Authorization: Bearer`. */
  bearer(options: Optional & { tokens: readonly CredentialConfig[] }): Access;
  /** A user of the portal, by the portal's cookie or a bearer token. */
  portalUser(options?: Optional): Access;
  /** A user of the portal who is in one of the groups; another user gets 403. */
  admin(groups: readonly string[]): Access;
  /** Any of several kinds of access; optional if one of them is. */
  anyOf(...alternatives: Access[]): Access;
  /**
   * Restricts access to callers with a scope; portal users and anonymous callers have no scopes.
   */
  scoped(access: Access, scope: string): Access;
  /**
   * Restricts access by a custom check, which runs only for authenticated callers; 403 if it fails.
   */
  permit(
    access: Access,
    permits: (caller: Caller) => boolean | Promise<boolean>,
  ): Access;
}

/**
 * Creates the access rules of a service.
 *
 * @param options.title - title of the service, shown by browsers as the realm of Basic
 *   authentication.
 * @param options.apiKeys - the keys that `apiKey()` accepts if a route does not list any.
 * @param options.uses - where uses of keys, user names and tokens are recorded.
 */
export function createAuth(options: {
  title: string;
  apiKeys: readonly CredentialConfig[];
  identity: PortalIdentity;
  uses: Pick<CredentialUses, 'note'>;
}): Auth {
  const { title, apiKeys, identity, uses } = options;
  const auth: Auth = {
    anyone: { ways: [], optional: true },
    apiKey: ({ header = 'X-API-Key', keys = apiKeys, optional } = {}) =>
      accessBy([apiKeyAuthenticator({ header, keys, uses })], optional),
    basic: ({ users, optional }) =>
      accessBy([basicAuthenticator({ users, realm: title, uses })], optional),
    bearer: ({ tokens, optional }) =>
      accessBy([bearerAuthenticator({ tokens, uses })], optional),
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
        permits(caller) {
          const allowed = way.permits?.(caller) ?? true;
          return allowed instanceof Promise
            ? allowed.then(each => each && permits(caller))
            : allowed && permits(caller);
        },
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

/** Checks whether a caller is a user in one of the groups, given as entity references. */
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
