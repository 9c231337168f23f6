import type { Knex } from 'knex';

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
