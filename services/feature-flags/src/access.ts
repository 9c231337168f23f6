import type { Access, Auth, Caller } from '@slipway/service-kit';
import type { ApiToken } from './tokens/ApiToken.ts';
import type { TokenRegistry } from './tokens/TokenRegistry.ts';
import {
  tokenAuthenticator,
  type TokenCaller,
} from './tokens/tokenAuthenticator.ts';

/** Who may call what. */
export interface FlagAccess {
  /** SDKs: client tokens alone. */
  readonly client: Access;
  /** Admin tokens, and every user of the portal. */
  readonly read: Access;
  /** Admin tokens, and the portal's admins of flags. */
  readonly write: Access;
}

/** @param options.admins - entity references of the groups that may change flags. */
export function flagAccess(
  auth: Auth,
  options: { tokens: TokenRegistry; admins: readonly string[] },
): FlagAccess {
  const byToken: Access = {
    ways: [{ authenticator: tokenAuthenticator(options.tokens) }],
    optional: false,
  };
  const admin = auth.scoped(byToken, 'admin');
  return {
    client: auth.scoped(byToken, 'client'),
    read: auth.anyOf(admin, auth.portalUser()),
    write: auth.anyOf(admin, auth.admin(options.admins)),
  };
}

/** The token of a request that {@link FlagAccess.client} let in. */
export function tokenOf(caller: Caller): ApiToken {
  return (caller as TokenCaller).token;
}
