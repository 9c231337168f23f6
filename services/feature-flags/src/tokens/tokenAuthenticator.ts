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
  const holder = rememberHolders();
  return {
    place: 'header:authorization',
    scheme: {
      name: 'apiToken',
      definition: { type: 'apiKey', in: 'header', name: 'Authorization' },
    },
    authenticate(request, addresses) {
      const { authorization } = request.headers;
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
      const found = tokens.find(text);
      return found
        ? holder(found)
        : addresses
            .assertLeft(request)
            .then(() => tokens.lookUp(text))
            .then(holder);
    },
  };
}

interface Holder {
  caller: TokenCaller;
  budget: string;
}

/** Says who holds a token, made once for each. */
function rememberHolders(): (token: ApiToken | undefined) => Holder {
  const holders = new WeakMap<ApiToken, Holder>();
  return token => {
    if (!token) {
      throw new UnauthenticatedError('The token is not valid');
    }
    let holder = holders.get(token);
    if (!holder) {
      const { hash, name, type } = token;
      const caller: TokenCaller = {
        kind: 'bearer',
        id: name,
        scopes: [type],
        token,
      };
      holder = { caller, budget: `token:${hash}` };
      holders.set(token, holder);
    }
    return holder;
  };
}
