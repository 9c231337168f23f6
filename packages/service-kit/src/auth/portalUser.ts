import { parseCookie } from 'cookie';
import type { Authenticated, Authenticator } from './Access.ts';
import { budgetOf, schemeValue } from './credentials.ts';
import type { PortalIdentity } from './PortalIdentity.ts';

/** The cookie that the portal sets at `/api/<plugin>/.backstage/auth/v1/cookie`. */
const PORTAL_COOKIE = 'backstage-auth';

/**
 * Knows users of the portal, in each way in which their sessions arrive: the portal's
 * cookie, which holds a limited token, and as a bearer the token for this service that the
 * portal's proxy sends, or a full token of a caller who asks directly.
 */
export function portalUserAuthenticators(
  identity: PortalIdentity,
): Authenticator[] {
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
