import { chunksOf as chunks } from '@slipway/service-kit';
import type { Knex } from 'knex';

/**
 * Options for grouping submissions: one that cannot be written fails without the others, and a
 * group waits at most two milliseconds for callers of the previous one.
 */
export const SUBMISSION_GROUPS = { gatherMs: 2, isolates: true } as const;

/**
 * Returns SQL for a table with a column `value`, read from a list in one JSON parameter: the
 * statement is then short and the same for lists of any length.
 */
export function jsonList(knex: Knex): string {
  return knex.client.config.client === 'pg'
    ? 'json_array_elements(CAST(? AS json)) AS list(value)'
    : 'json_each(?) AS list';
}

/** Returns SQL for a member of an element that is itself a list, as a column of a type. */
export function jsonMember(
  index: number,
  { name, type }: { name: string; type: string },
): string {
  return `CAST(value ->> ${index} AS ${type}) AS ${name}`;
}

/** Returns the rows of a raw statement, which SQLite and PostgreSQL wrap differently. */
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
 * Inserts rows passed as one JSON parameter, so that the statement is short and always the same:
 * with a parameter for each value, knex and SQLite spend more time on the text of the statement
 * than on the rows themselves.
 *
 * @param options.columns - in the order of the values of each row.
 * @param options.then - the rest of the statement: `ON CONFLICT`, `RETURNING`.
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
  // Without WHERE, SQLite parses ON CONFLICT as the condition of a join.
  return selectRows<T>(
    trx,
    `INSERT INTO ${table} (${Object.keys(columns).join(', ')})
     SELECT ${values.join(', ')} FROM ${jsonList(trx)} WHERE true ${then}`,
    [JSON.stringify(rows)],
  );
}

/** Splits rows into chunks that fit into one statement each. */
export const chunksOf = <T>(rows: readonly T[]) => chunks(rows, 500);

/**
 * Returns the values sorted by key, so that all writers lock rows in the same order and never
 * deadlock.
 */
export function inKeyOrder<T>(byKey: ReadonlyMap<string, T>): T[] {
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
}

/** Names of data whose changes are counted, for caching or numbering. */
type Revised = 'first_commits' | 'batches';

/**
 * Returns how often something has changed. Read it before the data, and cache both: the data is
 * valid while the number is the same, whichever replica writes.
 */
export async function readRevision(knex: Knex, name: Revised): Promise<number> {
  const row: { value: number | string } | undefined = await knex('revisions')
    .where({ name })
    .first('value');
  return Number(row?.value ?? 0);
}

/**
 * Counts a change, in the transaction that makes it. Other transactions that count the same kind of
 * change wait until this one ends.
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
