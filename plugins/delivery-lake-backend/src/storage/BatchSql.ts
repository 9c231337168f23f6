import { isPostgres } from '@slipway/portal-kit/database';
import type { Knex } from 'knex';

/** A 64-bit number in a row, such as a moment, a count or a sum. PostgreSQL returns it as text. */
export type BigInteger = number | string;

/** Returns a 64-bit number of a row; null stays null. */
export function nullableNumber(value: BigInteger | null): number | null {
  return value === null ? null : Number(value);
}

/** Returns a 64-bit number of a row; undefined for null. */
export function optionalNumber(value: BigInteger | null): number | undefined {
  return value === null ? undefined : Number(value);
}

/** Columns of a set of rows, each with its type in PostgreSQL. */
export type Columns = Readonly<
  Record<string, 'text' | 'bigint' | 'integer' | 'smallint'>
>;

/** A row of a batch. */
export type RowOf<C extends Columns> = {
  -readonly [K in keyof C]: C[K] extends 'text' ? string : number;
};

/** A row whose columns may all be null. */
export type NullableRowOf<C extends Columns> = {
  -readonly [K in keyof C]: RowOf<C>[K] | null;
};

/** Returns a list of column names, such as `a.x, a.y`. */
export function columnList(columns: Columns, alias?: string): string {
  return Object.keys(columns)
    .map(column => (alias ? `${alias}.${column}` : column))
    .join(', ');
}

/**
 * Runs statements on whole batches. A batch is passed to the database as one JSON value: binding
 * tens of thousands of values costs more than the work itself, and neither database accepts that
 * many.
 */
export class BatchSql {
  readonly #db: Knex;

  /** @param db - a transaction. */
  constructor(db: Knex) {
    this.#db = db;
  }

  /**
   * Returns a FROM item for a batch, with one binding. Join it with CROSS JOIN and WHERE,
   * so that SQLite starts from the batch and not from the large table.
   */
  batch(alias: string, columns: Columns): string {
    return recordSet(this.#db, alias, columns);
  }

  /**
   * Runs a statement that returns rows.
   *
   * @param columns - the returned columns; bigints, which PostgreSQL returns as text, become
   * numbers.
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

  /** Runs a statement that returns no rows. */
  async execute(statement: string, ...batches: object[][]): Promise<void> {
    await this.#run(statement, batches);
  }

  /**
   * Inserts rows.
   *
   * @param options.conflict - the rest of `ON CONFLICT`, if rows may exist.
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

  /** Inserts rows like {@link insert} and returns these columns of the stored rows. */
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
    // SQLite parses ON CONFLICT as a join condition unless a WHERE precedes it.
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

/** Returns a `DO UPDATE` clause that sets these columns to the inserted values. */
export function overwrite(columns: Columns, except: string[] = []): string {
  const assignments = Object.keys(columns)
    .filter(column => !except.includes(column))
    .map(column => `${column} = excluded.${column}`);
  return `DO UPDATE SET ${assignments.join(', ')}`;
}

const ROWS_PER_STATEMENT = 10_000;

/** A list of records to select from. */
export interface RecordTable {
  /** SQL with one placeholder. */
  sql: string;
  bindings: [string];
}

/**
 * Passes a list to the database as one JSON value, so that a statement can join a list of any
 * length; the number of placeholders is limited to tens of thousands.
 *
 * @param alias - its name in the statement.
 * @param columns - the types of its properties.
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

/** Divides rows into batches whose JSON has at most a few megabytes. */
export function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += ROWS_PER_STATEMENT) {
    yield items.slice(start, start + ROWS_PER_STATEMENT);
  }
}

/** A service and the moment, in milliseconds since the Unix epoch, that limits its rows. */
export interface ServiceMoment {
  serviceId: number;
  moment: number;
}

/** Returns a table of services, each with a moment, to join. */
export function momentTable(
  knex: Knex,
  scopes: readonly ServiceMoment[],
): RecordTable {
  return recordTable(
    knex,
    'r',
    { service_id: 'integer', moment: 'bigint' },
    scopes.map(({ serviceId, moment }) => ({ service_id: serviceId, moment })),
  );
}

/** Returns a FROM item that reads a JSON list of records, with one binding. */
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

/** Runs a statement that returns rows, on either database. */
export async function queryRows<R>(
  knex: Knex,
  sql: string,
  bindings: readonly (string | number)[],
): Promise<R[]> {
  const result: unknown = await knex.raw(sql, [...bindings]);
  // better-sqlite3 returns the rows, pg a result that contains them.
  return Array.isArray(result) ? result : (result as { rows: R[] }).rows;
}

/** Returns whether two rows are equal in these columns, apart from those in `except`. */
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

/** Maximum number of words of a text to search for. */
const MAX_WORDS = 8;

/**
 * Limits a query to rows whose columns contain all words of a text, ignoring case: "shop 1.2" finds
 * version 1.2 of the service shop. Words after the eighth are ignored.
 */
export function whereTextIn(
  query: Knex.QueryBuilder,
  columns: string[],
  text: string,
): void {
  const words = text
    .replace(/[\\%_]/g, character => `\\${character}`)
    .split(/\s+/, MAX_WORDS);
  for (const word of words) {
    query.where(any => {
      for (const column of columns) {
        // The database lowercases both sides, because SQLite only does so for ASCII letters.
        any.orWhereRaw(`LOWER(??) LIKE LOWER(?) ESCAPE '\\'`, [
          column,
          `%${word}%`,
        ]);
      }
    });
  }
}

/**
 * Maximum total length of the bodies in memory, in characters. A single longer body is read anyway;
 * it may have 10 MiB.
 */
const CHARACTERS_AT_ONCE = 4_000_000;

/**
 * Returns the last id of the next rows whose bodies fit in memory together; undefined without rows.
 *
 * @param options.rows - selects the rows that have not been processed.
 * @param options.limit - the maximum number of rows, even if their bodies are short.
 */
export async function endOfChunk(
  knex: Knex,
  { rows, limit }: { rows: Knex.QueryBuilder; limit: number },
): Promise<number | undefined> {
  const sizes: { id: BigInteger; size: BigInteger }[] = await rows
    .orderBy('id')
    .limit(limit)
    .select('id', knex.raw('length(body) as size'));
  let characters = 0;
  const fitting = sizes.filter(({ size }, index) => {
    characters += Number(size);
    return index === 0 || characters <= CHARACTERS_AT_ONCE;
  });
  const last = fitting.at(-1);
  return last && Number(last.id);
}
