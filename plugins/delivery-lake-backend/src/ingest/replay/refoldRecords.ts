import type { Knex } from 'knex';
import { ServiceDirectory } from '../../catalog/ServiceDirectory';
import { RecordKind } from '../../events/LakeEvent';
import { updateRecords } from '../records/updateRecords';
import { BatchSql } from '../sql/BatchSql';
import { EventLog, mapKey, RecordName } from '../sql/EventLog';
import { ingestTransaction } from '../sql/ingestTransaction';
import { ReplayStage } from './ReplayStage';

const CHUNK = 500;

/** Folds these records anew, from all their events. */
export async function refold(options: {
  sql: BatchSql;
  directory: ServiceDirectory;
  names: RecordName[];
}): Promise<void> {
  const { sql, directory, names } = options;
  const known = await new EventLog(sql).of(names);
  await updateRecords({
    sql,
    directory,
    touched: names.map(name => ({
      ...name,
      events: known.get(mapKey(name)) ?? [],
      fresh: false,
    })),
  });
}

/** Folds all records anew, in the order of their keys. */
export function refoldRecords(options: {
  knex: Knex;
  directory: ServiceDirectory;
}): ReplayStage<[kind: string, key: string]> {
  const { knex, directory } = options;
  return {
    async count() {
      const [{ count }]: { count: number | string }[] = await knex
        .from(knex('lake_events').distinct('kind', 'record_key').as('records'))
        .count({ count: '*' });
      return Number(count);
    },

    async next(after) {
      const names: { kind: RecordKind; key: string }[] = await knex(
        'lake_events',
      )
        .whereRaw('(kind, record_key) > (?, ?)', after)
        .distinct('kind', 'record_key as key')
        .orderBy(['kind', 'record_key'])
        .limit(CHUNK);
      if (names.length === 0) {
        return undefined;
      }
      await ingestTransaction(knex, tx =>
        refold({ sql: new BatchSql(tx), directory, names }),
      );
      const { kind, key } = names[names.length - 1];
      return { done: names.length, position: [kind, key] };
    },
  };
}
