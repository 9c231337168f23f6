import { createHmac } from 'node:crypto';
import {
  type Caller,
  ForbiddenError,
  isMemberOf,
  NotFoundError,
} from '@slipway/service-kit';
import { v7 as createUuid } from 'uuid';
import type { ProjectConfig } from '../config.ts';
import { type KnownCredentials, projectOfToken } from './KnownCredentials.ts';
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
  /** Groups that make projects and keys, and read every project. */
  admins: readonly string[];
  now: () => number;
}

/** The name by which callers with a token mean its own project. */
const CURRENT = '@current';

/** Projects, their keys and their tokens. */
export class Projects {
  readonly #options: ProjectsOptions;
  #pseudonymKey: Promise<string> | undefined;

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  /** Lists the projects that a user may read. */
  async listFor(caller: Caller): Promise<Project[]> {
    const projects = await this.#options.store.list();
    const mayRead = await Promise.all(
      projects.map(project => this.#mayRead(caller, project)),
    );
    return projects.filter((_, index) => mayRead[index]);
  }

  /**
   * Finds a project for somebody who is about to read it.
   *
   * @param id - `@current` is the project of the caller's token.
   * @throws ForbiddenError
   * @throws NotFoundError
   */
  async open(caller: Caller, id: string): Promise<Project> {
    const own = projectOfToken(caller);
    if (own !== undefined && id !== CURRENT && id !== own) {
      throw new ForbiddenError('The API token belongs to another project');
    }
    const project = await this.#get(own ?? id);
    if (own === undefined && !(await this.#mayRead(caller, project))) {
      throw new ForbiddenError('You may not read this project');
    }
    return project;
  }

  /**
   * The name under which a person appears in the portal's own events: the same each time,
   * and nothing that anybody else could work out of who it is.
   *
   * @param userRef - entity reference of the person.
   */
  async pseudonymOf(userRef: string): Promise<string> {
    this.#pseudonymKey ??= this.#options.store.secret('pseudonym-key');
    const key = await this.#pseudonymKey.catch((error: unknown) => {
      this.#pseudonymKey = undefined;
      throw error;
    });
    return createHmac('sha256', key).update(userRef).digest('base64url');
  }

  async #mayRead(caller: Caller, { readers }: Project): Promise<boolean> {
    const { admins } = this.#options;
    return !readers || isMemberOf(caller, [...readers, ...admins]);
  }

  /** @throws NotFoundError */
  async #get(id: string): Promise<Project> {
    const project = await this.#options.store.find(id);
    if (!project) {
      throw new NotFoundError(`Project ${id} not found`);
    }
    return project;
  }

  /** @throws ConflictError where the id is taken. */
  async create(
    project: Pick<Project, 'id' | 'name' | 'readers'>,
    createdBy: string,
  ): Promise<Project> {
    const created = {
      ...project,
      hidesPeople: false,
      createdAt: this.#options.now(),
    };
    await this.#options.store.create({ ...created, createdBy });
    return created;
  }

  /**
   * @throws ForbiddenError
   * @throws NotFoundError
   */
  async credentialsOf(caller: Caller, id: string): Promise<Credential[]> {
    const project = await this.open(caller, id);
    return this.#options.store.credentialsOf(project.id);
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
    await this.#get(options.projectId);
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
      projects: declared.map(({ id, name, readers, origins, hidesPeople }) => ({
        id,
        name,
        readers,
        origins,
        hidesPeople,
        createdAt: now,
      })),
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
