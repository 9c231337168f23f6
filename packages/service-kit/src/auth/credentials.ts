import { hash, timingSafeEqual } from 'node:crypto';
import type { CredentialConfig } from '../config/CommonConfig.ts';
import type { Authenticator, CredentialCaller } from './Access.ts';
import type { CredentialUses } from './CredentialUses.ts';
import { UnauthenticatedError } from '../errors/ServiceError.ts';

/** Maximum length in characters; anything longer is rejected without hashing it. */
const LONGEST = 1_024;

/** The record of when credentials were used. */
type Uses = Pick<CredentialUses, 'note'>;

interface Entry {
  digest: Buffer;
  /** The authentication result, shared by all requests with this credential. */
  known: { caller: CredentialCaller; budget: string };
}

/**
 * Configured credentials, stored as SHA-256 digests and compared in constant time. The digests need
 * no salt because keys are random, not chosen by people.
 */
class CredentialSet {
  readonly #entries: readonly Entry[];
  readonly #uses: Uses;

  /** @param kind - the kind of caller that these credentials identify. */
  constructor(
    kind: CredentialCaller['kind'],
    credentials: readonly CredentialConfig[],
    uses: Uses,
  ) {
    this.#uses = uses;
    this.#entries = credentials.map(credential => {
      const { name, scopes = [] } = credential;
      return {
        digest: digestOf(credential),
        known: {
          caller: { kind, id: name, scopes },
          budget: credentialBudget(kind, credential),
        },
      };
    });
  }

  /**
   * Finds the holder of a credential.
   *
   * @param holder - restricts the search to this holder, if the request names one.
   */
  find(credential: string, holder?: string): Entry['known'] | undefined {
    if (credential.length > LONGEST) {
      return undefined;
    }
    const sent = digest(credential);
    let found: Entry['known'] | undefined;
    // Does not stop at the first match, so that timing does not reveal which credential matched.
    for (const { digest: own, known } of this.#entries) {
      const same = timingSafeEqual(own, sent);
      if (same && (holder === undefined || holder === known.caller.id)) {
        found = known;
      }
    }
    if (found) {
      this.#uses.note(found.budget);
    }
    return found;
  }
}

/** Returns the budget of a configured credential, which is also the key of its recorded uses. */
export function credentialBudget(
  kind: CredentialCaller['kind'],
  credential: CredentialConfig,
): string {
  const identity = `${credential.name}\n${digestOf(credential).toString('hex')}`;
  return budgetOf(kind, identity);
}

function digestOf({ key, sha256 }: CredentialConfig): Buffer {
  return sha256 === undefined ? digest(key ?? '') : Buffer.from(sha256, 'hex');
}

/**
 * Returns a budget id that contains only a digest, so that the counter store never sees the
 * identity.
 */
export function budgetOf(kind: string, identity: string): string {
  return `${kind}:${hash('sha256', identity, 'base64url')}`;
}

function digest(value: string): Buffer {
  // Via hex: five times as fast as requesting the digest as a buffer.
  return Buffer.from(hash('sha256', value, 'hex'), 'hex');
}

/** Authenticates by an API key that is the whole value of a header. */
export function apiKeyAuthenticator(options: {
  header: string;
  keys: readonly CredentialConfig[];
  uses: Uses;
}): Authenticator {
  const header = options.header.toLowerCase();
  const keys = new CredentialSet('apiKey', options.keys, options.uses);
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

/** Authenticates by user name and token (RFC 7617); the name of a credential is the user name. */
export function basicAuthenticator(options: {
  users: readonly CredentialConfig[];
  realm: string;
  uses: Uses;
}): Authenticator {
  const users = new CredentialSet('basic', options.users, options.uses);
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

/** Authenticates by fixed tokens sent as `Authorization: Bearer` (RFC 6750). */
export function bearerAuthenticator(options: {
  tokens: readonly CredentialConfig[];
  uses: Uses;
}): Authenticator {
  const tokens = new CredentialSet('bearer', options.tokens, options.uses);
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

/**
 * Returns the value after the scheme in an `Authorization` header, or undefined for another scheme.
 */
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
