import type { Knex } from 'knex';

/** Rows of a raw statement, which SQLite and PostgreSQL wrap differently. */
export async function selectRows<T>(
  knex: Knex,
  sql: string,
  bindings: Knex.RawBinding[],
): Promise<T[]> {
  const answer = (await knex.raw(sql, bindings)) as unknown as
    | T[]
    | { rows: T[] };
  return Array.isArray(answer) ? answer : answer.rows;
}
