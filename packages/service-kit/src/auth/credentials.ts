import type { CredentialConfig } from '../config/CommonConfig.ts';
import { UnauthenticatedError } from '../errors/index.ts';
import type { Authenticator } from './Access.ts';
import { CredentialSet } from './CredentialSet.ts';

/** Keys that are the whole value of a header. */
export function apiKeyAuthenticator(options: {
  header: string;
  keys: readonly CredentialConfig[];
}): Authenticator {
  const header = options.header.toLowerCase();
  const keys = new CredentialSet('apiKey', options.keys);
  return {
    place: `header:${header}`,
    scheme: {
      name: header === 'x-api-key' ? 'apiKey' : `apiKey-${header}`,
      definition: { type: 'apiKey', in: 'header', name: options.header },
    },
    authenticate(request) {
      const sent = request.headers[header];
      if (sent === undefined) {
        return undefined;
      }
      const found = typeof sent === 'string' && keys.find(sent);
      if (!found) {
        throw new UnauthenticatedError('The API key is not valid');
      }
      return found;
    },
  };
}

/** User name and token (RFC 7617); the name of a credential is the user's. */
export function basicAuthenticator(options: {
  users: readonly CredentialConfig[];
  realm: string;
}): Authenticator {
  const users = new CredentialSet('basic', options.users);
  const challenge = `Basic realm="${options.realm}", charset="UTF-8"`;
  return {
    place: 'header:authorization',
    scheme: { name: 'basic', definition: { type: 'http', scheme: 'basic' } },
    challenge,
    sentByBrowsers: true,
    authenticate(request) {
      const sent = schemeValue(request.headers.authorization, 'basic');
      if (sent === undefined) {
        return undefined;
      }
      const pair = Buffer.from(sent, 'base64').toString();
      const colon = pair.indexOf(':');
      const found =
        colon >= 0 && users.find(pair.slice(colon + 1), pair.slice(0, colon));
      if (!found) {
        throw new UnauthenticatedError('The user or the token is not valid', {
          challenge,
        });
      }
      return found;
    },
  };
}

/** Fixed tokens sent as `Authorization: Bearer` (RFC 6750). */
export function bearerAuthenticator(options: {
  tokens: readonly CredentialConfig[];
}): Authenticator {
  const tokens = new CredentialSet('bearer', options.tokens);
  return {
    place: 'header:authorization',
    scheme: { name: 'bearer', definition: { type: 'http', scheme: 'bearer' } },
    challenge: 'Bearer',
    authenticate(request) {
      const sent = schemeValue(request.headers.authorization, 'bearer');
      if (sent === undefined) {
        return undefined;
      }
      const found = tokens.find(sent);
      if (!found) {
        throw new UnauthenticatedError('The token is not valid', {
          challenge: 'Bearer error="invalid_token"',
        });
      }
      return found;
    },
  };
}

/** What follows a scheme in an `Authorization` header; undefined for another scheme. */
export function schemeValue(
  header: string | undefined,
  scheme: string,
): string | undefined {
  const text = header ?? '';
  const end = text.indexOf(' ');
  return end > 0 && text.slice(0, end).toLowerCase() === scheme
    ? text.slice(end).trim() || undefined
    : undefined;
}
