import type { Knex } from 'knex';
import { jsonList, jsonMember } from './jsonList.ts';
import { selectRows } from './selectRows.ts';

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
