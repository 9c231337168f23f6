import type { Knex } from 'knex';

/** A row of the `scope` table: what `key` is asked about. */
export interface Scope {
  readonly key: number;
  readonly subject: string;
  readonly team: string;
  readonly from: number;
  readonly to: number;
}

/**
 * `WITH scope(key, subject, team, first, last) AS (…)` for any number of questions in one
 * statement, with its parameters. PostgreSQL must be told the types of parameters.
 */
export function scopeTable(scopes: readonly Scope[]): {
  sql: string;
  bindings: Knex.RawBinding[];
} {
  const row =
    '(CAST(? AS INTEGER), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS INTEGER), CAST(? AS INTEGER))';
  return {
    sql: `WITH scope(key, subject, team, first, last) AS (VALUES ${scopes
      .map(() => row)
      .join(', ')})`,
    bindings: scopes.flatMap(({ key, subject, team, from, to }) => [
      key,
      subject,
      team,
      from,
      to,
    ]),
  };
}
