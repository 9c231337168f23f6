import { NotFoundError } from '@slipway/service-kit';
import { v7 as createUuid } from 'uuid';
import type { ProjectConfig } from '../config.ts';
import type { KnownCredentials } from './KnownCredentials.ts';
import {
  createSecret,
  type Credential,
  type CredentialKind,
  digestOf,
  hintOf,
  type NewCredential,
  type Project,
  type ProjectStore,
} from './ProjectStore.ts';

interface ProjectsOptions {
  store: ProjectStore;
  known: KnownCredentials;
  now: () => number;
}

/** Projects, their keys and their tokens. */
export class Projects {
  readonly #options: ProjectsOptions;

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  list(): Promise<Project[]> {
    return this.#options.store.list();
  }

  /** @throws NotFoundError */
  async get(id: string): Promise<Project> {
    const project = await this.#options.store.find(id);
    if (!project) {
      throw new NotFoundError(`Project ${id} not found`);
    }
    return project;
  }

  /** @throws ConflictError where the id is taken. */
  async create(
    project: Pick<Project, 'id' | 'name'>,
    createdBy: string,
  ): Promise<Project> {
    const created = { ...project, createdAt: this.#options.now() };
    await this.#options.store.create({ ...created, createdBy });
    return created;
  }

  /** @throws NotFoundError */
  async credentialsOf(projectId: string): Promise<Credential[]> {
    await this.get(projectId);
    return this.#options.store.credentialsOf(projectId);
  }

  /**
   * Makes a key or token.
   *
   * @returns it with its secret, which is shown this once.
   * @throws NotFoundError
   */
  async createCredential(
    options: { projectId: string; kind: CredentialKind; name: string },
    createdBy: string,
  ): Promise<{ credential: Credential; secret: string }> {
    await this.get(options.projectId);
    const secret = createSecret(options.kind);
    const credential: Credential = {
      ...options,
      id: createId(),
      hint: hintOf(secret),
      origin: 'portal',
      createdAt: this.#options.now(),
      createdBy,
    };
    await this.#options.store.add({ ...credential, sha256: digestOf(secret) });
    return { credential, secret };
  }

  /** @throws NotFoundError where it is none, or the configuration's. */
  async revoke(projectId: string, id: string): Promise<void> {
    const revoked = await this.#options.store.revoke({
      projectId,
      id,
      now: this.#options.now(),
    });
    this.#options.known.forget();
    if (!revoked) {
      throw new NotFoundError(
        'Key not found, or it comes from the configuration',
      );
    }
  }

  /** Makes what the configuration declares exist. */
  async adopt(declared: readonly ProjectConfig[]): Promise<void> {
    const now = this.#options.now();
    await this.#options.store.adopt({
      now,
      projects: declared.map(({ id, name }) => ({ id, name, createdAt: now })),
      credentials: declared.flatMap(({ id, keys, apiTokens }) => [
        ...keys.map(key =>
          declaredCredential(key, { id, kind: 'capture', now }),
        ),
        ...apiTokens.map(key =>
          declaredCredential(key, { id, kind: 'query', now }),
        ),
      ]),
    });
  }
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
    origin: 'configuration',
    createdAt: options.now,
    createdBy: 'configuration',
  };
}

function createId(): string {
  return `key_${createUuid().replaceAll('-', '')}`;
}
