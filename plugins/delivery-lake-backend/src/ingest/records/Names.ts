import { ServiceDirectory } from '../../catalog/ServiceDirectory';
import { BatchSql, Columns, NullableRowOf } from '../sql/BatchSql';

const NAME = { name: 'text' } as const;
const NAMED = { id: 'integer', name: 'text' } as const;

const SERVICE_COLUMNS = {
  name: 'text',
  entity_ref: 'text',
  team: 'text',
  project: 'text',
} as const;

type NamedTable = 'services' | 'repositories';

/** Whose a service is, as the columns of `services`. */
export function ownershipColumns(directory: ServiceDirectory, name: string) {
  const found = directory.find(name);
  return found.match === 'known'
    ? {
        entity_ref: found.ownership.entityRef,
        team: found.ownership.team,
        project: found.ownership.project,
      }
    : { entity_ref: null, team: null, project: null };
}

/** Ids of services and repositories, which come to be when they are first named. */
export class Names {
  readonly #sql: BatchSql;
  readonly #directory: ServiceDirectory;

  constructor(options: { sql: BatchSql; directory: ServiceDirectory }) {
    this.#sql = options.sql;
    this.#directory = options.directory;
  }

  /** Ids of services by name. */
  async services(names: Iterable<string>): Promise<Map<string, number>> {
    return this.#ids('services', names, SERVICE_COLUMNS, name => ({
      name,
      ...ownershipColumns(this.#directory, name),
    }));
  }

  /** Ids of repositories by name. */
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
