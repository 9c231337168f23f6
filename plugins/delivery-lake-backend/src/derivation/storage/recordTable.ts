import type { Knex } from 'knex';
import { isPostgres } from '@slipway/portal-kit';

type ColumnType = 'bigint' | 'integer' | 'text';

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
  columns: Record<C, ColumnType>,
  records: readonly Partial<Record<C, number | string | null>>[],
): RecordTable {
  const names = Object.entries<ColumnType>(columns);
  const sql = isPostgres(knex)
    ? `jsonb_to_recordset(?::jsonb) AS ${alias}(${names
        .map(([name, type]) => `${name} ${type}`)
        .join(', ')})`
    : `(SELECT ${names
        .map(([name]) => `value ->> '${name}' AS ${name}`)
        .join(', ')} FROM json_each(?)) AS ${alias}`;
  return { sql, bindings: [JSON.stringify(records)] };
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
