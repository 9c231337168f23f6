import {
  type Authenticator,
  type CredentialCaller,
  UnauthenticatedError,
} from '@slipway/service-kit';
import { type ApiToken, readToken } from './ApiToken.ts';
import type { TokenRegistry } from './TokenRegistry.ts';

/** Who sends a token of this service. */
export interface TokenCaller extends CredentialCaller {
  readonly token: ApiToken;
}

/** Another scheme in front of a token is accepted: some SDKs send one. */
const BEARER = /^bearer +/i;

/**
 * Knows callers by the token that is the whole `Authorization` header. A bearer that
 * is shaped otherwise belongs to others, e.g. to a user of the portal.
 */
export function tokenAuthenticator(tokens: TokenRegistry): Authenticator {
  return {
    place: 'header:authorization',
    scheme: {
      name: 'apiToken',
      definition: { type: 'apiKey', in: 'header', name: 'Authorization' },
    },
    async authenticate({ headers: { authorization } }) {
      if (authorization === undefined) {
        return undefined;
      }
      const text = authorization.replace(BEARER, '');
      if (!readToken(text)) {
        if (BEARER.test(authorization)) {
          return undefined;
        }
        throw new UnauthenticatedError('The token is not valid');
      }
      const token = await tokens.find(text);
      if (!token) {
        throw new UnauthenticatedError('The token is not valid');
      }
      const caller: TokenCaller = {
        kind: 'apiKey',
        id: token.name,
        scopes: [token.type],
        token,
      };
      return { caller, budget: `token:${token.hash}` };
    },
  };
}
