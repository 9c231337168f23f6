import type { Knex } from 'knex';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import {
  BatchSql,
  Columns,
  NullableRowOf,
  queryRows,
  recordTable,
} from './BatchSql';

const NAME = { name: 'text' } as const;
const NAMED = { id: 'integer', name: 'text' } as const;

const NEW_SERVICE_COLUMNS = {
  name: 'text',
  entity_ref: 'text',
  team: 'text',
  project: 'text',
} as const;

type NamedTable = 'services' | 'repositories';

/** Finds who owns a service, as the columns of `services`. */
function ownershipColumns(directory: ServiceDirectory, name: string) {
  const found = directory.find(name);
  return found.match === 'known'
    ? {
        entity_ref: found.ownership.entityRef,
        team: found.ownership.team,
        project: found.ownership.project,
      }
    : { entity_ref: null, team: null, project: null };
}

/** Finds or creates the ids of services and repositories. */
export class NameIds {
  readonly #sql: BatchSql;
  readonly #directory: ServiceDirectory;

  constructor(options: { sql: BatchSql; directory: ServiceDirectory }) {
    this.#sql = options.sql;
    this.#directory = options.directory;
  }

  /** Returns the ids of services by name. */
  async services(names: Iterable<string>): Promise<Map<string, number>> {
    return this.#ids('services', names, NEW_SERVICE_COLUMNS, name => ({
      name,
      ...ownershipColumns(this.#directory, name),
    }));
  }

  /** Returns the ids of repositories by name. */
  async repositories(names: Iterable<string>): Promise<Map<string, number>> {
    return this.#ids('repositories', names, NAME, name => ({ name }));
  }

  async #ids<C extends Columns>(
    table: NamedTable,
    names: Iterable<string>,
    columns: C,
    toRow: (name: string) => NullableRowOf<C>,
  ): Promise<Map<string, number>> {
    const wanted = [...new Set(names)];
    if (wanted.length === 0) {
      return new Map();
    }
    const known = await this.#sql.select(
      NAMED,
      `SELECT t.id, t.name FROM ${this.#sql.batch('r', NAME)}
       CROSS JOIN ${table} t WHERE t.name = r.name`,
      wanted.map(name => ({ name })),
    );
    const ids = new Map(known.map(({ id, name }) => [name, id]));
    const added = await this.#sql.insertReturning({
      table,
      columns,
      rows: wanted.filter(name => !ids.has(name)).map(toRow),
      returning: NAMED,
    });
    for (const { id, name } of added) {
      ids.set(name, id);
    }
    return ids;
  }
}

const SERVICE_COLUMNS = {
  id: 'integer',
  name: 'text',
  entity_ref: 'text',
  team: 'text',
  project: 'text',
} as const;

const PAGE = 1_000;

/**
 * Keeps the owners of the lake's services up to date: matches all services when the directory was
 * read for the first time and whenever it changes. Matching earlier would remove every service from
 * its team.
 */
export function keepServicesMatched(options: {
  knex: Knex;
  directory: ServiceDirectory;
}): void {
  options.directory.onChange(() => matchServices(options));
}

async function matchServices({
  knex,
  directory,
}: {
  knex: Knex;
  directory: ServiceDirectory;
}): Promise<void> {
  const sql = new BatchSql(knex);
  for (let last = 0; ;) {
    const services = await sql.select(
      SERVICE_COLUMNS,
      `SELECT s.id, s.name, s.entity_ref, s.team, s.project
       FROM ${sql.batch('r', { last: 'integer' })} CROSS JOIN services s
       WHERE s.id > r.last ORDER BY s.id LIMIT ${PAGE}`,
      [{ last }],
    );
    const moved = services.flatMap(({ id, name, ...known }) => {
      const owned = ownershipColumns(directory, name);
      const same =
        owned.entity_ref === known.entity_ref &&
        owned.team === known.team &&
        owned.project === known.project;
      return same ? [] : [{ id, name, ...owned }];
    });
    if (moved.length > 0) {
      await sql.execute(
        `UPDATE services
         SET entity_ref = r.entity_ref, team = r.team, project = r.project
         FROM ${sql.batch('r', SERVICE_COLUMNS)} WHERE services.id = r.id`,
        moved,
      );
    }
    if (services.length < PAGE) {
      return;
    }
    last = services[services.length - 1].id;
  }
}

/** A service, under the name that its senders use, with its owners. */
export interface LakeService {
  /** Internal id. */
  id: number;
  name: string;
  /** Entity ref of its component; null if the catalog has none. */
  entityRef: string | null;
  /** Entity ref of the owning group. */
  team: string | null;
  /** Entity ref of the system. */
  project: string | null;
}

/** The columns of a {@link LakeService}, selected from the table `s` next to others. */
export const OWNED_SERVICE = {
  service_id: 's.id',
  service_name: 's.name',
  entity_ref: 's.entity_ref',
  team: 's.team',
  project: 's.project',
} as const;

/** A row with {@link OWNED_SERVICE}. */
export interface OwnedServiceRow {
  service_id: number;
  service_name: string;
  entity_ref: string | null;
  team: string | null;
  project: string | null;
}

/** Converts a row to its service. */
export function toLakeService(row: OwnedServiceRow): LakeService {
  return {
    id: row.service_id,
    name: row.service_name,
    entityRef: row.entity_ref,
    team: row.team,
    project: row.project,
  };
}

/** Filters of services; all given ones must match. */
export interface ServiceFilter {
  /** Entity ref of the owning group. */
  team?: string;
  /** Entity ref of the system. */
  project?: string;
  /** A name that senders use, and the entity ref of its component. */
  service?: { name: string; entityRef?: string };
  /** Entity refs of components, at most a thousand. */
  components?: readonly string[];
}

/** Reads the lake's services from its database. */
export class DatabaseServiceStore {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  /** Lists services by name. */
  async list(filter: ServiceFilter = {}): Promise<LakeService[]> {
    const query = this.#db('services')
      .select('id', 'name', { entityRef: 'entity_ref' }, 'team', 'project')
      .orderBy('name');
    if (filter.team !== undefined) {
      query.where({ team: filter.team });
    }
    if (filter.project !== undefined) {
      query.where({ project: filter.project });
    }
    if (filter.components !== undefined) {
      query.whereIn('entity_ref', [...filter.components]);
    }
    const { service } = filter;
    if (service) {
      query.where(either => {
        either.where({ name: service.name });
        if (service.entityRef !== undefined) {
          either.orWhere({ entity_ref: service.entityRef });
        }
      });
    }
    return query;
  }
}

/** Loads the components of services, by service id; services without a component are missing. */
export async function loadComponents(
  trx: Knex.Transaction,
  serviceIds: readonly number[],
): Promise<Map<number, string>> {
  if (serviceIds.length === 0) {
    return new Map();
  }
  const list = recordTable(
    trx,
    'r',
    { id: 'integer' },
    [...new Set(serviceIds)].map(id => ({ id })),
  );
  const rows = await queryRows<{ id: number; entity_ref: string }>(
    trx,
    `SELECT s.id, s.entity_ref FROM ${list.sql} CROSS JOIN services s
     WHERE s.id = r.id AND s.entity_ref IS NOT NULL`,
    list.bindings,
  );
  return new Map(rows.map(({ id, entity_ref }) => [id, entity_ref]));
}
