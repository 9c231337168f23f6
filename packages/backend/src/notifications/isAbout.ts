import { beginningsOf } from '@slipway/entity-contract';
import type { Knex } from 'knex';

/**
 * Returns a query condition: one of the columns, each a reference or the scope of a notification,
 * refers to an entity of a namespace.
 */
export function isAbout(columns: readonly string[], namespace: string) {
  return (query: Knex.QueryBuilder) => {
    for (const column of columns) {
      for (const beginning of beginningsOf(namespace)) {
        // Not LIKE: a namespace may contain its wildcard `_`.
        query.orWhereRaw('substr(??, 1, ?) = ?', [
          column,
          beginning.length,
          beginning,
        ]);
      }
    }
  };
}
