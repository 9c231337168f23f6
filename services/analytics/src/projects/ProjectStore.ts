import { createHash, randomBytes } from 'node:crypto';
import { ConflictError, type Database } from '@slipway/service-kit';

/** A product whose events are kept apart from those of others. */
export interface Project {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** Groups whose members read it beside administrators; undefined for everybody who is signed in. */
  readonly readers?: readonly string[];
  /** Origins whose pages may send events, such as `https://*.example.com`; undefined for any. */
  readonly origins?: readonly string[];
  /** True where answers say how many people did something, but never who. */
  readonly hidesPeople: boolean;
}

/** `capture`: a project key, sends events. `query`: an API token, asks questions. */
export type CredentialKind = 'capture' | 'query';

/** A key or token, without the secret. Times are milliseconds since the Unix epoch. */
export interface Credential {
  readonly id: string;
  readonly projectId: string;
  readonly kind: CredentialKind;
  readonly name: string;
  /** Its last characters; empty where only its digest is known. */
  readonly hint: string;
  /** Pages cannot revoke credentials of the configuration. */
  readonly origin: 'configuration' | 'portal';
  readonly createdAt: number;
  readonly createdBy: string;
}

/** A {@link Credential} to be stored. */
export interface NewCredential extends Credential {
  /** SHA-256 of the secret in hexadecimal. */
  readonly sha256: string;
}

const BY_CONFIGURATION = 'configuration';

interface CredentialRow {
  id: string;
  project_id: string;
  kind: Credential['kind'];
  name: string;
  hint: string;
  origin: Credential['origin'];
  created_at: number | string;
  created_by: string;
}

/** The project that a key belongs to. */
export interface KeyOwner extends Pick<Project, 'origins'> {
  readonly projectId: string;
  readonly credentialId: string;
}

/** Keeps projects and their credentials in the service's database. */
export class ProjectStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the projects by name. */
  async list(): Promise<Project[]> {
    const rows = await this.#database
      .knex('projects')
      .select()
      .orderBy(['name', 'id']);
    return rows.map(toProject);
  }

  async find(id: string): Promise<Project | undefined> {
    const row = await this.#database.knex('projects').where({ id }).first();
    return row && toProject(row);
  }

  /** @throws ConflictError where the id is taken. */
  async create(project: Project & { createdBy: string }): Promise<void> {
    const { id, createdBy } = project;
    const inserted = await this.#database.transaction(trx =>
      trx('projects')
        .insert({ ...toProjectRow(project), created_by: createdBy })
        .onConflict('id')
        .ignore()
        .returning('id'),
    );
    if (inserted.length === 0) {
      throw new ConflictError(`The project ${id} already exists`, {
        field: 'id',
        constraint: 'unique',
      });
    }
  }

  /** Lists the valid credentials of a project, the newest first. */
  async credentialsOf(projectId: string): Promise<Credential[]> {
    const rows: CredentialRow[] = await this.#database
      .knex('credentials')
      .where({ project_id: projectId, revoked_at: null })
      .orderBy([{ column: 'created_at', order: 'desc' }, 'id']);
    return rows.map(row => ({
      id: row.id,
      projectId: row.project_id,
      kind: row.kind,
      name: row.name,
      hint: row.hint,
      origin: row.origin,
      createdAt: Number(row.created_at),
      createdBy: row.created_by,
    }));
  }

  async add(credential: NewCredential): Promise<void> {
    await this.#database.transaction(trx =>
      trx('credentials').insert(toRow(credential)),
    );
  }

  /** @returns false where the portal made no such credential. */
  async revoke(options: {
    projectId: string;
    id: string;
    now: number;
  }): Promise<boolean> {
    const { projectId, id, now } = options;
    const changed = await this.#database.transaction(trx =>
      trx('credentials')
        .where({
          id,
          project_id: projectId,
          origin: 'portal',
          revoked_at: null,
        })
        .update({ revoked_at: now }),
    );
    return changed > 0;
  }

  /** Finds the project of a valid credential by the SHA-256 of its secret. */
  async projectOf(
    sha256: string,
    kind: Credential['kind'],
  ): Promise<KeyOwner | undefined> {
    const row: { id: string; project_id: string; origins: string | null } =
      await this.#database
        .knex('credentials')
        .join('projects', 'projects.id', 'credentials.project_id')
        .where({ sha256, kind, revoked_at: null })
        .first('credentials.id', 'credentials.project_id', 'projects.origins');
    return (
      row && {
        projectId: row.project_id,
        credentialId: row.id,
        origins: readList(row.origins),
      }
    );
  }

  /** The secret of the installation under a name, made by whoever asks first. */
  async secret(name: string): Promise<string> {
    await this.#database.transaction(trx =>
      trx('settings')
        .insert({ name, value: randomBytes(32).toString('base64url') })
        .onConflict('name')
        .ignore(),
    );
    const { value } = await this.#database
      .knex('settings')
      .where({ name })
      .first();
    return value;
  }

  /**
   * Makes the projects and credentials of the configuration exist, and revokes those
   * of earlier configurations.
   */
  async adopt(options: {
    projects: readonly Project[];
    credentials: readonly NewCredential[];
    now: number;
  }): Promise<void> {
    const { projects, credentials, now } = options;
    await this.#database.transaction(async trx => {
      for (const project of projects) {
        await trx('projects')
          .insert({ ...toProjectRow(project), created_by: BY_CONFIGURATION })
          .onConflict('id')
          .merge(['name', 'readers', 'origins', 'hides_people']);
      }
      for (const credential of credentials) {
        await trx('credentials')
          .insert({ ...toRow(credential), revoked_at: null })
          .onConflict('sha256')
          .merge([
            'project_id',
            'kind',
            'name',
            'hint',
            'origin',
            'revoked_at',
          ]);
      }
      await trx('credentials')
        .where({ origin: BY_CONFIGURATION, revoked_at: null })
        .whereNotIn(
          'sha256',
          credentials.map(({ sha256 }) => sha256),
        )
        .update({ revoked_at: now });
    });
  }
}

function toProject(row: {
  id: string;
  name: string;
  created_at: number | string;
  readers: string | null;
  origins: string | null;
  hides_people: number | boolean;
}): Project {
  return {
    id: row.id,
    name: row.name,
    createdAt: Number(row.created_at),
    readers: readList(row.readers),
    origins: readList(row.origins),
    hidesPeople: Boolean(row.hides_people),
  };
}

function toProjectRow(project: Project): object {
  const { id, name, createdAt, readers, origins, hidesPeople } = project;
  return {
    id,
    name,
    created_at: createdAt,
    readers: readers ? JSON.stringify(readers) : null,
    origins: origins ? JSON.stringify(origins) : null,
    hides_people: hidesPeople,
  };
}

function readList(json: string | null): string[] | undefined {
  return json === null ? undefined : JSON.parse(json);
}

function toRow(credential: NewCredential): object {
  return {
    id: credential.id,
    project_id: credential.projectId,
    kind: credential.kind,
    name: credential.name,
    sha256: credential.sha256,
    hint: credential.hint,
    origin: credential.origin,
    created_at: credential.createdAt,
    created_by: credential.createdBy,
  };
}

const PREFIXES: Readonly<Record<CredentialKind, string>> = {
  capture: 'phc_',
  query: 'phx_',
};

/** A new secret, which nobody can guess. */
export function createSecret(kind: CredentialKind): string {
  return PREFIXES[kind] + randomBytes(24).toString('base64url');
}

/** Digests a secret for storage. Without salt: secrets are random, not chosen by people. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The last characters of a secret, by which people tell theirs apart. */
export function hintOf(secret: string): string {
  return secret.slice(-4);
}
