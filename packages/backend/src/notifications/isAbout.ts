import { beginningsOf } from '@slipway/entity-contract';
import type { Knex } from 'knex';

/**
 * Returns the condition that one of the columns, a reference or the scope of a notification, names an
 * entity of a namespace.
 */
export function isAbout(columns: readonly string[], namespace: string) {
  return (query: Knex.QueryBuilder) => {
    for (const column of columns) {
      for (const beginning of beginningsOf(namespace)) {
        // Without LIKE: a namespace may contain its wildcard `_`.
        query.orWhereRaw('substr(??, 1, ?) = ?', [
          column,
          beginning.length,
          beginning,
        ]);
      }
    }
  };
}
