import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Knex } from 'knex';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { DeliveryLakeConfig } from '../config';
import { RawDelivery } from '../events/Delivery';
import {
  IngestItem,
  LakeEvent,
  mapKey,
  RecordKind,
  RecordName,
} from '../events/LakeEvent';
import { namesOf, findNewEvents } from '../events/findNewEvents';
import { CheckedItem, checkItem, judgeDelivery } from '../ingest/IngestService';
import {
  BatchSql,
  type BigInteger,
  endOfChunk,
  type NullableRowOf,
} from './BatchSql';
import { ingestTransaction, updateRecords } from './DatabaseIngestStore';
import { EventLog, LoggedEvent } from './EventLog';

/** A stage of a replay, processed in chunks. */
export interface ReplayStage<Position> {
  /** Returns the number of items. */
  count(): Promise<number>;
  /** Processes the next chunk. @returns undefined at the end. */
  next(
    after: Position,
  ): Promise<{ done: number; position: Position } | undefined>;
}

/**
 * Processes a stage from a position to its end.
 *
 * @param onProgress - called after every chunk, with the items done and their total at the start.
 */
export async function runStage<Position>(
  stage: ReplayStage<Position>,
  from: Position,
  onProgress: (progress: {
    done: number;
    total: number;
    position: Position;
  }) => void,
): Promise<void> {
  const total = await stage.count();
  let done = 0;
  for (
    let chunk = await stage.next(from);
    chunk;
    chunk = await stage.next(chunk.position)
  ) {
    done += chunk.done;
    onProgress({ done, total, position: chunk.position });
    // SQLite runs queries synchronously: without this, other work would wait until the end.
    await yieldToOthers();
  }
}

const RECORDS_AT_ONCE = 500;

/** Folds these records again, from all their events. */
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

/** Folds all records again, in the order of their keys. */
export function refoldRecords(options: {
  knex: Knex;
  directory: ServiceDirectory;
}): ReplayStage<[kind: string, key: string]> {
  const { knex, directory } = options;
  return {
    async count() {
      const [{ count }]: { count: BigInteger }[] = await knex
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
        .limit(RECORDS_AT_ONCE);
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

/** Maps a stored delivery by the current rules. */
export type RawDeliveryMapper = (delivery: RawDelivery) => {
  items: IngestItem[];
  /** Reason why it is ignored; undefined if it is not. */
  ignored?: string;
};

/** Adds facts to a stored delivery that were unknown when it was received. */
export type DeliveryCompletion = (
  delivery: RawDelivery,
  tx: Knex.Transaction,
) => Promise<RawDelivery>;

const DELIVERIES_AT_ONCE = 50;

/** Selects deliveries whose body was removed because it named a person. */
const EMPTIED = { outcome: 'emptied' } as const;

const ID = { id: 'bigint' } as const;

interface DeliveryRow {
  id: BigInteger;
  channel: string;
  type: string;
  delivery_key: string;
  body: string;
  context: string;
  received_at: BigInteger;
}

const EVENT_COLUMNS = {
  ...ID,
  delivery_id: 'bigint',
  digest: 'text',
  body: 'text',
} as const;

const VERDICT_COLUMNS = {
  ...ID,
  context: 'text',
  outcome: 'text',
  reason: 'text',
} as const;

interface Options {
  knex: Knex;
  directory: ServiceDirectory;
  config: Pick<DeliveryLakeConfig, 'environments' | 'clockSkew'>;
  mapper: RawDeliveryMapper;
  complete?: DeliveryCompletion;
  now?: () => number;
}

/** Maps and checks a delivery; an error of the mapper becomes an item with that error. */
function understand(
  delivery: RawDelivery,
  { config, mapper, now = Date.now }: Options,
): { items: CheckedItem[]; ignored?: string } {
  try {
    const { items, ignored } = mapper(delivery);
    const checked = items.map(item =>
      checkItem(item, { ...config, now: now() }),
    );
    return { items: checked, ignored };
  } catch (error) {
    return { items: [{ error: (error as Error).message }] };
  }
}

/** Maps the next stored deliveries, and replaces their events. @returns undefined at the end. */
async function remap(
  tx: Knex.Transaction,
  after: number,
  options: Options,
): Promise<{ done: number; position: number } | undefined> {
  const { complete = async delivery => delivery } = options;
  const unread = tx('lake_deliveries')
    .where('id', '>', after)
    .whereNot(EMPTIED);
  const limit = DELIVERIES_AT_ONCE;
  const until = await endOfChunk(tx, { rows: unread.clone(), limit });
  if (until === undefined) {
    return undefined;
  }
  const stored: DeliveryRow[] = await unread
    .where('id', '<=', until)
    .orderBy('id')
    .select();
  const rows = stored.map(({ id, received_at, ...row }) => ({
    ...{ id: Number(id), receivedAt: Number(received_at) },
    ...row,
  }));
  const sql = new BatchSql(tx);
  const meant: (LoggedEvent & { deliveryId: number })[] = [];
  const verdicts: NullableRowOf<typeof VERDICT_COLUMNS>[] = [];
  for (const row of rows) {
    const delivery = await complete(
      {
        channel: row.channel,
        type: row.type,
        key: row.delivery_key,
        body: row.body,
        context: JSON.parse(row.context),
      },
      tx,
    );
    const { items, ignored } = understand(delivery, options);
    for (const event of items.flatMap(item =>
      'events' in item ? item.events : [],
    )) {
      meant.push({
        ...event,
        deliveryId: row.id,
        receivedAt: row.receivedAt,
      });
    }
    const { outcome, reason } = judgeDelivery(delivery, items, ignored);
    verdicts.push({
      id: row.id,
      context: JSON.stringify(delivery.context ?? {}),
      outcome,
      reason: reason ?? null,
    });
  }
  await sql.execute(
    `UPDATE lake_deliveries
     SET context = r.context, outcome = r.outcome, reason = r.reason
     FROM ${sql.batch('r', VERDICT_COLUMNS)} WHERE lake_deliveries.id = r.id`,
    verdicts,
  );

  const had = await sql.select(
    EVENT_COLUMNS,
    `SELECT e.id, e.delivery_id, e.digest, e.body
     FROM ${sql.batch('r', ID)} CROSS JOIN lake_events e
     WHERE e.delivery_id = r.id`,
    rows.map(({ id }) => ({ id })),
  );
  const kept = new Set(
    meant.map(({ deliveryId, digest }) => `${deliveryId} ${digest}`),
  );
  const gone = had.filter(
    ({ delivery_id, digest }) => !kept.has(`${delivery_id} ${digest}`),
  );
  if (gone.length > 0) {
    await sql.execute(
      `DELETE FROM lake_events WHERE id IN (SELECT id FROM ${sql.batch(
        'r',
        ID,
      )})`,
      gone.map(({ id }) => ({ id })),
    );
  }
  const log = new EventLog(sql);
  const { added } = findNewEvents(meant, await log.of(namesOf(meant)));
  await log.append(added);

  const forgotten = gone.map(({ digest, body }) => {
    const event: LakeEvent = JSON.parse(body);
    return { event, digest, body };
  });
  const names = namesOf([...added, ...forgotten]);
  await refold({ sql, directory: options.directory, names });
  return { done: rows.length, position: until };
}

/**
 * Maps all stored deliveries again and replaces their earlier events, except for deliveries that
 * were emptied because they named a person. If a later delivery contains the same event, the event
 * is added again with that delivery.
 */
export function remapDeliveries(options: Options): ReplayStage<number> {
  const { knex } = options;
  return {
    async count() {
      const [{ count }]: { count: BigInteger }[] = await knex('lake_deliveries')
        .whereNot(EMPTIED)
        .count({ count: '*' });
      return Number(count);
    },
    next: after => ingestTransaction(knex, tx => remap(tx, after, options)),
  };
}
