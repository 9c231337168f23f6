import { BatchSql } from './BatchSql';
import { mapKey, RecordName } from './EventLog';

const SENDER_KEY = { source: 'text', external_id: 'text' } as const;
const TABLES = { deployment: 'deployments', incident: 'incidents' } as const;

/** Public ids of the deployments and incidents that are there, by {@link mapKey}. */
export async function publicIds(
  sql: BatchSql,
  names: RecordName[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const kind of ['deployment', 'incident'] as const) {
    const keys = names.filter(name => name.kind === kind);
    const rows = keys.length
      ? await sql.select(
          { ...SENDER_KEY, public_id: 'text' },
          `SELECT t.source, t.external_id, t.public_id
           FROM ${sql.batch('r', SENDER_KEY)} CROSS JOIN ${TABLES[kind]} t
           WHERE t.source = r.source AND t.external_id = r.external_id`,
          keys.map(({ key }) => {
            const [source, external_id]: string[] = JSON.parse(key);
            return { source, external_id };
          }),
        )
      : [];
    for (const { source, external_id, public_id } of rows) {
      const key = JSON.stringify([source, external_id]);
      ids.set(mapKey({ kind, key }), public_id);
    }
  }
  return ids;
}
