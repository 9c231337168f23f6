import {
  type Authenticator,
  type CredentialCaller,
  UnauthenticatedError,
} from '@slipway/service-kit';
import { type ApiToken, readToken } from '../model/ApiToken.ts';
import type { TokenRegistry } from './TokenRegistry.ts';

/** A caller who sends a token of this service. */
export interface TokenCaller extends CredentialCaller {
  readonly token: ApiToken;
}

/** A scheme before the token, which some SDKs send. */
const BEARER = /^bearer +/i;

/**
 * Authenticates callers by the token that is the whole `Authorization` header. Bearer tokens of
 * another format are left to other authenticators, e.g. those of users of the portal.
 */
export function tokenAuthenticator(
  tokens: TokenRegistry,
  now: () => number,
): Authenticator {
  const find = rememberHolders(tokens);
  const accept = (holder: Holder | undefined): Holder => {
    const token = holder?.caller.token;
    if (!token) {
      throw new UnauthenticatedError('The token is not valid');
    }
    const time = now();
    if (token.expiresAt !== null && token.expiresAt <= time) {
      throw new UnauthenticatedError('The token has expired');
    }
    tokens.used(token, time);
    return holder;
  };
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
      const found = find(authorization);
      if (found) {
        return accept(found);
      }
      const text = authorization.replace(BEARER, '');
      if (!readToken(text)) {
        if (BEARER.test(authorization)) {
          return undefined;
        }
        throw new UnauthenticatedError('The token is not valid');
      }
      return addresses
        .assertLeft(request)
        .then(() => tokens.lookUp(text))
        .then(token => accept(token && holderOf(token)));
    },
  };
}

interface Holder {
  caller: TokenCaller;
  budget: string;
}

function holderOf(token: ApiToken): Holder {
  const { hash, name, type } = token;
  return {
    caller: { kind: 'bearer', id: name, scopes: [type], token },
    budget: `token:${hash}`,
  };
}

/** Maximum number of headers kept in memory. */
const MAX_HEADERS = 1_000;

/**
 * Returns a function that finds the holder of a token by the whole header. Headers of valid tokens are
 * kept in memory until tokens are reloaded, because parsing and hashing them takes longer than all
 * other checks; the database still contains only hashes. The time of a lookup reveals nothing about
 * a token: the map compares a header only with keys of the same hash, whose seed is random.
 */
function rememberHolders(
  tokens: TokenRegistry,
): (header: string) => Holder | undefined {
  const kept = new Map<string, Holder>();
  tokens.onReload(() => kept.clear());
  return header => {
    const known = kept.get(header);
    if (known) {
      return known;
    }
    const text = header.replace(BEARER, '');
    const token = readToken(text) && tokens.find(text);
    if (!token) {
      return undefined;
    }
    if (kept.size >= MAX_HEADERS) {
      kept.clear();
    }
    const holder = holderOf(token);
    kept.set(header, holder);
    return holder;
  };
}
