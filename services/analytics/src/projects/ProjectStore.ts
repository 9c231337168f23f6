import { randomBytes } from 'node:crypto';
import { ConflictError, type Database } from '@slipway/service-kit';
import type { Calendar } from '../query/time/zones.ts';
import {
  type Credential,
  type CredentialRow,
  type NewCredential,
  toCredential,
  type TokenScope,
  toRow,
} from './Credential.ts';
import type { PropertyFilter } from '../query/filterSchemas.ts';
import { readList } from './readList.ts';

/** A product whose events are kept separate from those of others. */
export interface Project {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** True if it is declared in the configuration, which then sets its name. */
  readonly isConfigured: boolean;
  /**
   * Groups whose members may read it, in addition to admins; undefined for every
   * signed-in user.
   */
  readonly readers?: readonly string[];
  /** Origins whose pages may send events, such as `https://*.example.com`; undefined for any. */
  readonly origins?: readonly string[];
  /** True if results say how many people did something, but never who. */
  readonly hidesPeople: boolean;
  /** Defines when its days and weeks begin. */
  readonly calendar: Calendar;
  /** Days after which its events are deleted; undefined for the default of the installation. */
  readonly retentionDays?: number;
  /** Property filters that all match events except those of test accounts; undefined for none. */
  readonly testAccountFilters?: readonly PropertyFilter[];
  /** True if new insights leave out test accounts. */
  readonly filtersTestAccounts: boolean;
}

/** A project without the fields that are set later. */
export type NewProject = Omit<
  Project,
  'isConfigured' | 'testAccountFilters' | 'filtersTestAccounts'
>;

/** Changes of a project; undefined fields remain unchanged. */
export interface ProjectChanges extends Partial<Calendar> {
  readonly name?: string;
  /** Null for the default of the installation. */
  readonly retentionDays?: number | null;
  readonly testAccountFilters?: readonly PropertyFilter[];
  readonly filtersTestAccounts?: boolean;
}

/** The changes that the configuration cannot declare. */
const NOT_CONFIGURED: ReadonlySet<string> = new Set([
  'testAccountFilters',
  'filtersTestAccounts',
] satisfies (keyof ProjectChanges)[]);

const BY_CONFIGURATION = 'configuration';
/** Tables with rows of a project, apart from its keys and tokens. */
const OF_PROJECT = [
  'annotations',
  'event_drops',
  'ingestion_minutes',
  'persons',
  'person_ids',
  'group_types',
  'person_groups',
  'erased_ids',
  'erasures',
  'saved_items',
  'destinations',
  'destination_deliveries',
  'portal_destinations',
  'definition_days',
  'definitions',
];

/** The project that a key belongs to. */
export interface KeyOwner extends Pick<Project, 'origins'> {
  readonly projectId: string;
  readonly credentialId: string;
  /** The scopes that a token is limited to; undefined for no limit. */
  readonly scopes?: readonly TokenScope[];
  /** The time from which it is invalid; undefined if it does not expire. */
  readonly expiresAt?: number;
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

  /** @throws ConflictError if the id is taken. */
  async create(project: NewProject & { createdBy: string }): Promise<void> {
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

  /** @returns false if the configuration declares the project, and with it what changes. */
  async change(id: string, changes: ProjectChanges): Promise<boolean> {
    const { name, zone, weekStart, retentionDays } = changes;
    const { testAccountFilters, filtersTestAccounts } = changes;
    const mayBeConfigured = Object.keys(changes).every(each =>
      NOT_CONFIGURED.has(each),
    );
    const changed = await this.#database.transaction(trx =>
      trx('projects')
        .where({ id })
        .modify(query => {
          if (!mayBeConfigured) {
            void query.whereNot({ created_by: BY_CONFIGURATION });
          }
        })
        .update({
          ...(name !== undefined && { name }),
          ...(zone !== undefined && { time_zone: zone }),
          ...(weekStart !== undefined && { week_start: weekStart }),
          ...(retentionDays !== undefined && {
            retention_days: retentionDays,
          }),
          ...(testAccountFilters !== undefined && {
            test_account_filters: JSON.stringify(testAccountFilters),
          }),
          ...(filtersTestAccounts !== undefined && {
            filters_test_accounts: filtersTestAccounts,
          }),
        }),
    );
    return changed > 0;
  }

  /**
   * Deletes the keys and tokens of a project, so that nobody can send events to it.
   * @throws ConflictError if the project is declared in the configuration.
   */
  async close(id: string): Promise<void> {
    await this.#database.transaction(async trx => {
      const row = await trx('projects').where({ id }).first('created_by');
      if (row?.created_by === BY_CONFIGURATION) {
        throw new ConflictError(
          `The project ${id} is declared in the configuration`,
        );
      }
      await trx('credentials').where({ project_id: id }).delete();
    });
  }

  /** Deletes a project without keys, and its counts. */
  async delete(id: string): Promise<void> {
    await this.#database.transaction(async trx => {
      for (const table of OF_PROJECT) {
        await trx(table).where({ project_id: id }).delete();
      }
      await trx('projects').where({ id }).delete();
    });
  }

  /** Lists the valid credentials of a project, newest first. */
  async credentialsOf(projectId: string): Promise<Credential[]> {
    const rows: CredentialRow[] = await this.#database
      .knex('credentials')
      .where({ project_id: projectId, revoked_at: null })
      .orderBy([{ column: 'created_at', order: 'desc' }, 'id']);
    return rows.map(toCredential);
  }

  async add(credential: NewCredential): Promise<void> {
    await this.#database.transaction(trx =>
      trx('credentials').insert(toRow(credential)),
    );
  }

  /** @returns false if the portal created no such credential. */
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

  /** Finds the project of a credential that is not revoked by the SHA-256 of its secret. */
  async projectOf(
    sha256: string,
    kind: Credential['kind'],
  ): Promise<KeyOwner | undefined> {
    const row: {
      id: string;
      project_id: string;
      origins: string | null;
      scopes: string | null;
      expires_at: number | string | null;
    } = await this.#database
      .knex('credentials')
      .join('projects', 'projects.id', 'credentials.project_id')
      .where({ sha256, kind, revoked_at: null })
      .first(
        'credentials.id',
        'credentials.project_id',
        'credentials.scopes',
        'credentials.expires_at',
        'projects.origins',
      );
    return (
      row && {
        projectId: row.project_id,
        credentialId: row.id,
        origins: readList(row.origins),
        scopes: readList(row.scopes) as TokenScope[] | undefined,
        expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
      }
    );
  }

  /** Returns the named secret of the installation; creates it on first use. */
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
   * Creates the configured projects and credentials, and revokes credentials of earlier
   * configurations.
   */
  async adopt(options: {
    projects: readonly NewProject[];
    credentials: readonly NewCredential[];
    now: number;
  }): Promise<void> {
    const { projects, credentials, now } = options;
    await this.#database.transaction(async trx => {
      for (const project of projects) {
        await trx('projects')
          .insert({ ...toProjectRow(project), created_by: BY_CONFIGURATION })
          .onConflict('id')
          .merge([
            'name',
            'readers',
            'origins',
            'hides_people',
            'time_zone',
            'week_start',
            'retention_days',
          ]);
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
            'shown_key',
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
  created_by: string;
  readers: string | null;
  origins: string | null;
  hides_people: number | boolean;
  time_zone: string;
  week_start: number;
  retention_days: number | null;
  test_account_filters: string | null;
  filters_test_accounts: number | boolean;
}): Project {
  return {
    id: row.id,
    name: row.name,
    createdAt: Number(row.created_at),
    isConfigured: row.created_by === BY_CONFIGURATION,
    readers: readList(row.readers),
    origins: readList(row.origins),
    hidesPeople: Boolean(row.hides_people),
    calendar: { zone: row.time_zone, weekStart: row.week_start === 1 ? 1 : 0 },
    ...(row.retention_days !== null && { retentionDays: row.retention_days }),
    ...(row.test_account_filters !== null && {
      testAccountFilters: JSON.parse(row.test_account_filters),
    }),
    filtersTestAccounts: Boolean(row.filters_test_accounts),
  };
}

function toProjectRow(project: NewProject): object {
  const { id, name, createdAt, readers, origins, hidesPeople, calendar } =
    project;
  return {
    id,
    name,
    created_at: createdAt,
    readers: readers ? JSON.stringify(readers) : null,
    origins: origins ? JSON.stringify(origins) : null,
    hides_people: hidesPeople,
    time_zone: calendar.zone,
    week_start: calendar.weekStart,
    retention_days: project.retentionDays ?? null,
  };
}
