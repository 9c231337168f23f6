import { isPostgres } from '@slipway/portal-kit';
import type { Knex } from 'knex';

/** Columns of a set of rows, each with its type in PostgreSQL. */
export type Columns = Readonly<
  Record<string, 'text' | 'bigint' | 'integer' | 'smallint'>
>;

/** A row of such a set. */
export type RowOf<C extends Columns> = {
  -readonly [K in keyof C]: C[K] extends 'text' ? string : number;
};

/** A row in which anything may be missing. */
export type NullableRowOf<C extends Columns> = {
  -readonly [K in keyof C]: RowOf<C>[K] | null;
};

/** `a.x, a.y`. */
export function columnList(columns: Columns, alias?: string): string {
  return Object.keys(columns)
    .map(column => (alias ? `${alias}.${column}` : column))
    .join(', ');
}

/**
 * Statements over whole batches. A batch goes to the database as one value, in
 * JSON: tens of thousands of bound values in a statement cost more than the work
 * itself, and neither database takes that many.
 */
export class BatchSql {
  readonly #db: Knex;

  /** @param db - a transaction. */
  constructor(db: Knex) {
    this.#db = db;
  }

  /**
   * A FROM item that holds a batch; takes one binding. Join it by CROSS JOIN and
   * WHERE, which makes SQLite start from the batch and not from the large table.
   */
  batch(alias: string, columns: Columns): string {
    return recordSet(this.#db, alias, columns);
  }

  /**
   * Runs a statement that gives rows.
   *
   * @param columns - those it gives; PostgreSQL's bigint texts become numbers.
   * @param batches - a value for each {@link batch} of the statement.
   */
  async select<C extends Columns>(
    columns: C,
    statement: string,
    ...batches: object[][]
  ): Promise<RowOf<C>[]> {
    const rows = await this.#run<Record<string, unknown>>(statement, batches);
    const numeric = Object.keys(columns).filter(
      column => columns[column] !== 'text',
    );
    for (const row of rows) {
      for (const column of numeric) {
        row[column] = row[column] === null ? null : Number(row[column]);
      }
    }
    return rows as RowOf<C>[];
  }

  /** Runs a statement that gives nothing. */
  async execute(statement: string, ...batches: object[][]): Promise<void> {
    await this.#run(statement, batches);
  }

  /**
   * Inserts rows.
   *
   * @param options.conflict - rest of `ON CONFLICT`, where rows may be there.
   */
  async insert<C extends Columns>(options: {
    table: string;
    columns: C;
    rows: Partial<NullableRowOf<C>>[];
    conflict?: string;
  }): Promise<void> {
    if (options.rows.length > 0) {
      await this.execute(this.#insertion(options), options.rows);
    }
  }

  /** Like {@link insert}, and gives these columns of what is there then. */
  async insertReturning<C extends Columns, R extends Columns>(options: {
    table: string;
    columns: C;
    rows: Partial<NullableRowOf<C>>[];
    conflict?: string;
    returning: R;
  }): Promise<RowOf<R>[]> {
    if (options.rows.length === 0) {
      return [];
    }
    return this.select(
      options.returning,
      `${this.#insertion(options)} RETURNING ${columnList(options.returning)}`,
      options.rows,
    );
  }

  #insertion(options: {
    table: string;
    columns: Columns;
    conflict?: string;
  }): string {
    const { table, columns, conflict } = options;
    const names = columnList(columns);
    // SQLite takes ON CONFLICT for a join condition unless a WHERE comes before it.
    return `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${this.batch(
      'r',
      columns,
    )} WHERE true${conflict ? ` ON CONFLICT ${conflict}` : ''}`;
  }

  #run<R>(statement: string, batches: object[][]): Promise<R[]> {
    return queryRows(
      this.#db,
      statement,
      batches.map(batch => JSON.stringify(batch)),
    );
  }
}

/** `DO UPDATE` of all of these columns to what was to be inserted. */
export function overwrite(columns: Columns, except: string[] = []): string {
  const assignments = Object.keys(columns)
    .filter(column => !except.includes(column))
    .map(column => `${column} = excluded.${column}`);
  return `DO UPDATE SET ${assignments.join(', ')}`;
}

/** A list of records as something to select from. */
export interface RecordTable {
  /** With one placeholder. */
  sql: string;
  bindings: [string];
}

/**
 * Hands a list to the database as one JSON value, so that a statement can join it
 * whatever its length; placeholders are limited to some ten thousand.
 *
 * @param alias - what the statement calls it.
 * @param columns - the properties it has, by their types.
 */
export function recordTable<C extends string>(
  knex: Knex,
  alias: string,
  columns: Record<C, Columns[string]>,
  records: readonly Partial<Record<C, number | string | null>>[],
): RecordTable {
  return {
    sql: recordSet(knex, alias, columns),
    bindings: [JSON.stringify(records)],
  };
}

/** A list of services, each with a moment, to join. */
export function momentTable(
  knex: Knex,
  scopes: readonly { serviceId: number; moment: number }[],
): RecordTable {
  return recordTable(
    knex,
    'r',
    { service_id: 'integer', moment: 'bigint' },
    scopes.map(({ serviceId, moment }) => ({ service_id: serviceId, moment })),
  );
}

/** A FROM item that reads a JSON list of records; takes one binding. */
function recordSet(knex: Knex, alias: string, columns: Columns): string {
  if (isPostgres(knex)) {
    const types = Object.entries(columns).map(entry => entry.join(' '));
    return `json_to_recordset(?::json) AS ${alias}(${types.join(', ')})`;
  }
  const values = Object.keys(columns).map(
    column => `json_extract(value, '$.${column}') AS ${column}`,
  );
  return `(SELECT ${values.join(', ')} FROM json_each(?)) AS ${alias}`;
}

/** Runs a statement that answers rows, on either database. */
export async function queryRows<R>(
  knex: Knex,
  sql: string,
  bindings: readonly (string | number)[],
): Promise<R[]> {
  const result: unknown = await knex.raw(sql, [...bindings]);
  // better-sqlite3 answers the rows, pg a result that has them.
  return Array.isArray(result) ? result : (result as { rows: R[] }).rows;
}

/** Tells whether two rows say the same in all of these columns but the excepted. */
export function sameColumns<C extends Columns>(
  columns: C,
  a: NullableRowOf<C>,
  b: NullableRowOf<C>,
  except: readonly (keyof C)[] = [],
): boolean {
  return Object.keys(columns).every(
    column => except.includes(column) || a[column] === b[column],
  );
}
