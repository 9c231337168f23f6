import { keyParts, mapKey, RecordName, senderKey } from '../events/LakeEvent';
import {
  type BatchSql,
  columnList,
  type Columns,
  type NullableRowOf,
  overwrite,
  type RowOf,
} from './BatchSql';

// Statements on the tables of records that senders identify by their own keys.

type Table = 'deployments' | 'incidents';

const ID = { id: 'bigint' } as const;
const SENDER_KEY = { source: 'text', external_id: 'text' } as const;
const KEY_AND_IDS = { ...ID, ...SENDER_KEY, public_id: 'text' } as const;

/** Returns the record key of a row: its source and the sender's id. */
function keyOf(row: RowOf<typeof SENDER_KEY>): string {
  return senderKey(row.source, row.external_id);
}

/** Reads these columns and the ids of existing rows, by record key. */
export async function selectByKeys<C extends Columns & typeof SENDER_KEY>(
  sql: BatchSql,
  table: Table,
  { columns, keys }: { columns: C; keys: string[] },
): Promise<Map<string, RowOf<C & typeof ID>>> {
  if (keys.length === 0) {
    return new Map();
  }
  const rows = await sql.select(
    { ...ID, ...columns },
    `SELECT t.id, ${columnList(columns, 't')}
     FROM ${sql.batch('r', SENDER_KEY)} CROSS JOIN ${table} t
     WHERE t.source = r.source AND t.external_id = r.external_id`,
    keys.map(key => {
      const [source, external_id] = keyParts(key);
      return { source, external_id };
    }),
  );
  return new Map(rows.map(row => [keyOf(row), row]));
}

/**
 * Inserts or overwrites rows, except for their public ids: the first one is permanent.
 *
 * @returns the stored ids of each row, with its record key.
 */
export async function upsertByKeys<C extends Columns>(
  sql: BatchSql,
  table: Table,
  { columns, rows }: { columns: C; rows: Partial<NullableRowOf<C>>[] },
): Promise<{ key: string; id: number; publicId: string }[]> {
  const written = await sql.insertReturning({
    table,
    columns,
    rows,
    conflict: `(source, external_id) ${overwrite(columns, ['public_id'])}`,
    returning: KEY_AND_IDS,
  });
  return written.map(row => ({
    key: keyOf(row),
    id: row.id,
    publicId: row.public_id,
  }));
}

/** Deletes the rows of a table whose column has one of these ids. */
export async function deleteByIds(
  sql: BatchSql,
  table: Table | 'deployment_changes',
  { rows, column = 'id' }: { rows: { id: number }[]; column?: string },
): Promise<void> {
  if (rows.length > 0) {
    await sql.execute(
      `DELETE FROM ${table}
       WHERE ${column} IN (SELECT id FROM ${sql.batch('r', ID)})`,
      rows.map(({ id }) => ({ id })),
    );
  }
}

const TABLES = { deployment: 'deployments', incident: 'incidents' } as const;

/** Returns the public ids of existing deployments and incidents, by {@link mapKey}. */
export async function publicIds(
  sql: BatchSql,
  names: RecordName[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const kind of ['deployment', 'incident'] as const) {
    const rows = await selectByKeys(sql, TABLES[kind], {
      columns: { ...SENDER_KEY, public_id: 'text' } as const,
      keys: names.filter(name => name.kind === kind).map(({ key }) => key),
    });
    for (const [key, row] of rows) {
      ids.set(mapKey({ kind, key }), row.public_id);
    }
  }
  return ids;
}
