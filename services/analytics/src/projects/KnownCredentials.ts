import {
  type Access,
  type Caller,
  UnauthenticatedError,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import {
  type CredentialKind,
  digestOf,
  type KeyOwner,
  READ_SCOPES,
} from './Credential.ts';
import type { CredentialStore } from './storage/CredentialStore.ts';

/** Milliseconds for which a credential is cached, until a revocation on another replica is noticed. */
const KEPT_MS = 10_000;
const KEPT_AT_MOST = 10_000;

interface KnownCredentialsOptions {
  store: Pick<CredentialStore, 'projectOf'>;
  /** Called with a credential's id whenever it is looked up. */
  onUse(id: string): void;
  now: () => number;
}

/**
 * Finds the projects of keys and tokens without a database query per event: a known
 * credential is only looked up again after ten seconds.
 */
export class KnownCredentials {
  readonly #options: KnownCredentialsOptions;
  #forgotten = 0;
  readonly #kept = new Map<string, { owner: KeyOwner; until: number }>();

  constructor(options: KnownCredentialsOptions) {
    this.#options = options;
  }

  /** Returns the owner of a secret if it was found in the last ten seconds. */
  kept(secret: string, kind: CredentialKind): KeyOwner | undefined {
    return this.#keptAs(`${kind}:${digestOf(secret)}`);
  }

  #keptAs(key: string): KeyOwner | undefined {
    const kept = this.#kept.get(key);
    return kept && kept.until > this.#options.now() ? kept.owner : undefined;
  }

  /**
   * Returns the owner of a secret; undefined if it is unknown, revoked or expired.
   * @param options.beforeGuess - awaited before an unknown secret is looked up; may throw,
   *   so that guesses do not reach the database.
   */
  async find(
    secret: string,
    {
      kind,
      beforeGuess,
    }: { kind: CredentialKind; beforeGuess: () => Promise<void> },
  ): Promise<KeyOwner | undefined> {
    const forgotten = this.#forgotten;
    const sha256 = digestOf(secret);
    const key = `${kind}:${sha256}`;
    const kept = this.#keptAs(key);
    if (kept) {
      return kept;
    }
    if (!this.#kept.has(key)) {
      await beforeGuess();
    }
    const found = await this.#options.store.projectOf(sha256, kind);
    const now = this.#options.now();
    const { expiresAt = Infinity } = found ?? {};
    const owner = expiresAt > now ? found : undefined;
    if (owner) {
      this.#options.onUse(owner.credentialId);
    }
    this.#kept.delete(key);
    // Do not cache a credential that was revoked in the meantime.
    if (owner && forgotten === this.#forgotten) {
      if (this.#kept.size >= KEPT_AT_MOST) {
        this.#kept.clear();
      }
      this.#kept.set(key, { owner, until: Math.min(now + KEPT_MS, expiresAt) });
    }
    return owner;
  }

  /** Clears the cache, after a credential was revoked. */
  forget(): void {
    this.#forgotten += 1;
    this.#kept.clear();
  }
}

/** Returns the bearer token of a request. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

const SCOPE = 'project:';

/** Creates the access for callers that send a project's API token as `Authorization: Bearer`. */
export function apiTokenAccess(known: KnownCredentials): Access {
  return {
    optional: false,
    ways: [
      {
        authenticator: {
          place: 'header:authorization',
          scheme: {
            name: 'apiToken',
            definition: { type: 'http', scheme: 'bearer' },
          },
          challenge: 'Bearer',
          async authenticate(request, addresses) {
            const token = bearerOf(request);
            if (token === undefined) {
              return undefined;
            }
            const owner = await known.find(token, {
              kind: 'query',
              beforeGuess: () => addresses.assertLeft(request),
            });
            if (!owner) {
              throw new UnauthenticatedError('The API token is not valid', {
                challenge: 'Bearer error="invalid_token"',
              });
            }
            const { projectId, credentialId, scopes = READ_SCOPES } = owner;
            return {
              caller: {
                kind: 'bearer',
                id: credentialId,
                scopes: [SCOPE + projectId, ...scopes],
              },
              budget: `token:${credentialId}`,
            };
          },
        },
      },
    ],
  };
}

/** Returns the project of the caller's token; undefined for users of the portal. */
export function projectOfToken(caller: Caller): string | undefined {
  return caller.kind === 'bearer'
    ? caller.scopes.find(scope => scope.startsWith(SCOPE))?.slice(SCOPE.length)
    : undefined;
}
