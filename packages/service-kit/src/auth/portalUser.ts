import { parseCookie } from 'cookie';
import type { Authenticated, Authenticator } from './Access.ts';
import { budgetOf } from './CredentialSet.ts';
import { schemeValue } from './credentials.ts';
import type { PortalIdentity, UserTokenType } from './PortalIdentity.ts';

/** The cookie that the portal sets at `/api/<plugin>/.backstage/auth/v1/cookie`. */
export const PORTAL_COOKIE = 'backstage-auth';

/**
 * Users of the portal, in both ways in which their sessions arrive: the portal's
 * cookie, which holds a limited token, and a full token as a bearer, as the portal's
 * proxy forwards it.
 */
export function portalUserAuthenticators(
  identity: PortalIdentity,
): Authenticator[] {
  const identify = async (
    token: string,
    typ: UserTokenType,
    via: 'cookie' | 'bearer',
  ): Promise<Authenticated> => {
    const id = await identity.verify(token, typ);
    return {
      caller: { kind: 'user', id, via, groups: () => identity.groupsOf(token) },
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
        return token === undefined
          ? undefined
          : identify(token, 'vnd.backstage.user', 'bearer');
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
        return token
          ? identify(token, 'vnd.backstage.limited-user', 'cookie')
          : undefined;
      },
    },
  ];
}
