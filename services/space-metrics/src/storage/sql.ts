import type { Knex } from 'knex';

/**
 * How submissions are written together: one that cannot be written fails alone, and a
 * group waits two milliseconds at most for those who sent with the last one.
 */
export const SUBMISSION_GROUPS = { gatherMs: 2, isolates: true } as const;

/**
 * A list that is handed over as one JSON parameter, as a table with a column `value`: a
 * statement is then short and the same however long the list is.
 */
export function jsonList(knex: Knex): string {
  return knex.client.config.client === 'pg'
    ? 'json_array_elements(CAST(? AS json)) AS list(value)'
    : 'json_each(?) AS list';
}

/** A member of an element that is a list itself, as a column of a type. */
export function jsonMember(
  index: number,
  { name, type }: { name: string; type: string },
): string {
  return `CAST(value ->> ${index} AS ${type}) AS ${name}`;
}

/** Rows of a raw statement, which SQLite and PostgreSQL wrap differently. */
export async function selectRows<T>(
  knex: Knex,
  sql: string,
  bindings: Knex.RawBinding[],
): Promise<T[]> {
  const answer = (await knex.raw(sql, bindings)) as unknown as
    T[] | { rows: T[] };
  return Array.isArray(answer) ? answer : answer.rows;
}

type ColumnType = 'TEXT' | 'INTEGER' | 'BIGINT';

/**
 * Inserts rows that are handed over as one JSON parameter, so that the statement is short
 * and the same however many there are: knex and SQLite take longer over the text of a
 * statement with a parameter for each value than over the rows themselves.
 *
 * @param options.columns - in the order of the values of each row.
 * @param options.then - what follows: `ON CONFLICT`, `RETURNING`.
 * @returns the rows of `RETURNING`.
 */
export async function insertRows<T>(
  trx: Knex.Transaction,
  options: {
    table: string;
    columns: Readonly<Record<string, ColumnType>>;
    rows: readonly (readonly (string | number | null)[])[];
    then?: string;
  },
): Promise<T[]> {
  const { table, columns, rows, then = '' } = options;
  if (rows.length === 0) {
    return [];
  }
  const values = Object.entries(columns).map(([name, type], index) =>
    jsonMember(index, { name, type }),
  );
  // Without WHERE, SQLite takes ON CONFLICT for the condition of a join.
  return selectRows<T>(
    trx,
    `INSERT INTO ${table} (${Object.keys(columns).join(', ')})
     SELECT ${values.join(', ')} FROM ${jsonList(trx)} WHERE true ${then}`,
    [JSON.stringify(rows)],
  );
}

/** knex writes rows for SQLite as a compound SELECT, which has 500 terms at most. */
const CHUNK = 500;

/** Rows in as many parts as one statement each may have. */
export function* chunksOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    yield rows.slice(start, start + CHUNK);
  }
}

/** One order for all writers: who locks rows in the same order never deadlocks. */
export function inKeyOrder<T>(byKey: ReadonlyMap<string, T>): T[] {
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
}

/** What is remembered by those who read it, or numbered, and must say when it changed. */
type Revised = 'first_commits' | 'batches';

/**
 * How often something changed. Whoever reads it before what it counts, and keeps both,
 * may use what it read for as long as the number is the same, whichever replica writes.
 */
export async function readRevision(knex: Knex, name: Revised): Promise<number> {
  const row: { value: number | string } | undefined = await knex('revisions')
    .where({ name })
    .first('value');
  return Number(row?.value ?? 0);
}

/**
 * Counts a change, in the transaction that makes it. Until that ends, others who count
 * the same wait.
 *
 * @returns the new number.
 */
export async function countRevision(
  trx: Knex.Transaction,
  name: Revised,
  by = 1,
): Promise<number> {
  const [{ value }] = await selectRows<{ value: number | string }>(
    trx,
    `INSERT INTO revisions (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = revisions.value + excluded.value
     RETURNING value`,
    [name, by],
  );
  return Number(value);
}
