import { randomBytes } from 'node:crypto';
import { ConflictError, type Database } from '@slipway/service-kit';
import type { NewProject, Project, ProjectChanges } from '../Project.ts';

/** The settings that the configuration cannot declare. */
const NOT_CONFIGURED: ReadonlySet<string> = new Set([
  'testAccountFilters',
  'filtersTestAccounts',
] satisfies (keyof ProjectChanges)[]);

/** The name of the creator of configured projects and credentials. */
export const BY_CONFIGURATION = 'configuration';
/** Tables with rows of a project, other than its keys and tokens. */
const OF_PROJECT = [
  'annotations',
  'cohorts',
  'cohort_ids',
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

/** Stores projects and the secrets of the installation in the service's database. */
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

  /**
   * Changes a project.
   *
   * @returns false if the configuration declares the project and the settings to change.
   */
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

  /** Deletes a project that has no keys, and its rows in other tables. */
  async delete(id: string): Promise<void> {
    await this.#database.transaction(async trx => {
      for (const table of OF_PROJECT) {
        await trx(table).where({ project_id: id }).delete();
      }
      await trx('projects').where({ id }).delete();
    });
  }

  /** Returns the installation's secret with a name; creates it on first use. */
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

  /** Creates the configured projects. */
  async adopt(projects: readonly NewProject[]): Promise<void> {
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
    });
  }
}

/** Parses a column with a JSON list; undefined if it is null. */
export function readList(json: string | null): string[] | undefined {
  return json === null ? undefined : JSON.parse(json);
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
