import {
  type Caller,
  InvalidRequestError,
  NotFoundError,
} from '@slipway/service-kit';
import { v7 as createUuid } from 'uuid';
import type { ProjectConfig } from '../config.ts';
import {
  createSecret,
  type Credential,
  type CredentialKind,
  digestOf,
  hintOf,
  type NewCredential,
} from './Credential.ts';
import type { Projects } from './Projects.ts';
import type { CredentialStore } from './storage/CredentialStore.ts';

/** The settings that the creator of a key or token chooses. */
type Settings = Pick<
  Credential,
  'projectId' | 'kind' | 'name' | 'scopes' | 'expiresAt'
>;

interface CredentialsOptions {
  store: CredentialStore;
  projects: Projects;
  now: () => number;
}

/** Manages the keys and tokens of projects. */
export class Credentials {
  readonly #options: CredentialsOptions;

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /**
   * Returns the unrevoked credentials of a project that the caller may read, newest first.
   * @throws ForbiddenError
   * @throws NotFoundError
   */
  async listFor(caller: Caller, projectId: string): Promise<Credential[]> {
    const { store, projects } = this.#options;
    const { id } = await projects.open(caller, projectId);
    return store.list(id);
  }

  /**
   * Creates a key or token.
   * @returns the credential and its secret; the secret of a token cannot be read later.
   * @throws NotFoundError
   * @throws InvalidRequestError if a project key has scopes or an expiry, or the expiry has
   *   passed.
   */
  async create(
    options: Settings,
    createdBy: string,
  ): Promise<{ credential: Credential; secret: string }> {
    const { store, projects } = this.#options;
    await projects.get(options.projectId);
    const { credential, secret } = this.#create(options, createdBy);
    await store.add({ ...credential, sha256: digestOf(secret) });
    return { credential, secret };
  }

  #create(
    options: Settings,
    createdBy: string,
  ): { credential: Credential; secret: string } {
    this.#assertLimits(options);
    const secret = createSecret(options.kind);
    const credential: Credential = {
      ...options,
      id: createId(),
      hint: hintOf(secret),
      ...(options.kind === 'capture' && { key: secret }),
      origin: 'portal',
      createdAt: this.#options.now(),
      createdBy,
    };
    return { credential, secret };
  }

  #assertLimits(options: Pick<Credential, 'kind' | 'scopes' | 'expiresAt'>) {
    const { kind, scopes, expiresAt } = options;
    if (kind === 'capture' && scopes) {
      throw new InvalidRequestError('Only API tokens have scopes', {
        field: 'scopes',
        constraint: 'kind',
      });
    }
    if (kind === 'capture' && expiresAt !== undefined) {
      throw new InvalidRequestError('Only API tokens expire', {
        field: 'expires_at',
        constraint: 'kind',
      });
    }
    if (expiresAt !== undefined && expiresAt <= this.#options.now()) {
      throw new InvalidRequestError('expires_at must be in the future', {
        field: 'expires_at',
        constraint: 'minimum',
      });
    }
  }

  /**
   * Replaces the secret of a key or token; the old one becomes invalid.
   * @throws NotFoundError if it does not exist or comes from the configuration.
   * @throws InvalidRequestError if it has expired.
   */
  async rotate(
    projectId: string,
    id: string,
    by: string,
  ): Promise<{ credential: Credential; secret: string }> {
    const { store } = this.#options;
    const credentials = await store.list(projectId);
    const old = credentials.find(each => each.id === id);
    if (!old) {
      throw notFound();
    }
    const { kind, name, scopes, expiresAt } = old;
    const { credential, secret } = this.#create(
      { projectId, kind, name, scopes, expiresAt },
      by,
    );
    const isReplaced = await store.replace(id, {
      ...credential,
      sha256: digestOf(secret),
    });
    if (!isReplaced) {
      throw notFound();
    }
    return { credential, secret };
  }

  /**
   * Revokes a key or token.
   * @throws NotFoundError if it does not exist or comes from the configuration.
   */
  async revoke(projectId: string, id: string): Promise<void> {
    const revoked = await this.#options.store.revoke({
      projectId,
      id,
      now: this.#options.now(),
    });
    if (!revoked) {
      throw notFound();
    }
  }

  /** Creates the credentials declared in the configuration, and revokes those no longer declared. */
  async adopt(declared: readonly ProjectConfig[]): Promise<void> {
    const now = this.#options.now();
    await this.#options.store.adopt(
      declared.flatMap(({ id, keys, apiTokens }) => [
        ...keys.map(key =>
          declaredCredential(key, { id, kind: 'capture', now }),
        ),
        ...apiTokens.map(token => ({
          ...declaredCredential(token, { id, kind: 'query', now }),
          ...(token.scopes && { scopes: token.scopes }),
        })),
      ]),
      now,
    );
  }
}

function notFound(): NotFoundError {
  return new NotFoundError('Key not found, or it comes from the configuration');
}

function declaredCredential(
  { name, key, sha256 }: ProjectConfig['keys'][number],
  options: { id: string; kind: CredentialKind; now: number },
): NewCredential {
  return {
    id: createId(),
    projectId: options.id,
    kind: options.kind,
    name,
    sha256: sha256?.toLowerCase() ?? digestOf(key ?? ''),
    hint: key ? hintOf(key) : '',
    ...(key && options.kind === 'capture' && { key }),
    origin: 'configuration',
    createdAt: options.now,
    createdBy: 'configuration',
  };
}

function createId(): string {
  return `key_${createUuid().replaceAll('-', '')}`;
}
