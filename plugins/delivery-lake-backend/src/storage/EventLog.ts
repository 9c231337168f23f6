import { createHash } from 'node:crypto';
import { IncomingEvent, JudgedDelivery } from '../events/Delivery';
import {
  DigestedEvent,
  LakeEvent,
  mapKey,
  recordKey,
  RecordName,
  storable,
} from '../events/LakeEvent';
import { BatchSql, columnList, overwrite } from './BatchSql';

const KEY_COLUMNS = { kind: 'text', record_key: 'text' } as const;

const KNOWN_COLUMNS = { ...KEY_COLUMNS, digest: 'text', body: 'text' } as const;

const EVENT_COLUMNS = {
  ...KNOWN_COLUMNS,
  source: 'text',
  occurred_at: 'bigint',
  delivery_id: 'bigint',
  received_at: 'bigint',
} as const;

/** An event with its delivery. */
export interface LoggedEvent extends DigestedEvent {
  /** Milliseconds since the Unix epoch. */
  receivedAt: number;
  /** Internal id of its delivery. */
  deliveryId?: number;
}

/** Reads and appends to the table `lake_events`, the log of all events. */
export class EventLog {
  readonly #sql: BatchSql;

  constructor(sql: BatchSql) {
    this.#sql = sql;
  }

  /** Returns all events of these records, by {@link mapKey}; unknown records are left out. */
  async of(names: RecordName[]): Promise<Map<string, DigestedEvent[]>> {
    const found = new Map<string, DigestedEvent[]>();
    if (names.length === 0) {
      return found;
    }
    const rows = await this.#sql.select(
      KNOWN_COLUMNS,
      `SELECT ${columnList(KNOWN_COLUMNS, 'e')}
       FROM ${this.#sql.batch('r', KEY_COLUMNS)} CROSS JOIN lake_events e
       WHERE e.kind = r.kind AND e.record_key = r.record_key`,
      names.map(({ kind, key }) => ({ kind, record_key: key })),
    );
    for (const row of rows) {
      const event: LakeEvent = JSON.parse(row.body);
      const name = mapKey({ kind: event.kind, key: row.record_key });
      const events = found.get(name) ?? [];
      events.push({ event, digest: row.digest, body: row.body });
      found.set(name, events);
    }
    return found;
  }

  /** Adds events that do not exist yet. */
  async append(events: LoggedEvent[]): Promise<void> {
    await this.#sql.insert({
      table: 'lake_events',
      columns: EVENT_COLUMNS,
      rows: events.map(({ event, digest, body, receivedAt, deliveryId }) => ({
        kind: event.kind,
        record_key: recordKey(event),
        source: event.source,
        occurred_at: event.occurredAt,
        digest,
        body,
        delivery_id: deliveryId ?? null,
        received_at: receivedAt,
      })),
    });
  }
}

const SOURCE_COLUMNS = {
  source: 'text',
  last_event_at: 'bigint',
  events: 'bigint',
} as const;

/** Updates the number and time of events by sender. */
export async function countSources(
  sql: BatchSql,
  events: IncomingEvent[],
  receivedAt: number,
): Promise<void> {
  const counts = new Map<string, number>();
  for (const { event, implied } of events) {
    if (!implied) {
      counts.set(event.source, (counts.get(event.source) ?? 0) + 1);
    }
  }
  await sql.insert({
    table: 'lake_sources',
    columns: SOURCE_COLUMNS,
    rows: [...counts].map(([source, count]) => ({
      source,
      last_event_at: receivedAt,
      events: count,
    })),
    conflict: `(source) DO UPDATE SET
      events = lake_sources.events + excluded.events,
      last_event_at = CASE
        WHEN excluded.last_event_at > lake_sources.last_event_at
        THEN excluded.last_event_at ELSE lake_sources.last_event_at END`,
  });
}

const DELIVERY_COLUMNS = {
  channel: 'text',
  type: 'text',
  delivery_key: 'text',
  body: 'text',
  context: 'text',
  outcome: 'text',
  reason: 'text',
  received_at: 'bigint',
} as const;

const TYPE_LIMIT = 128;
const KEY_LIMIT = 255;

/** Returns a key as it is stored: hashed if it does not fit in the column. */
function keptKey(key: string): string {
  return key.length > KEY_LIMIT
    ? createHash('sha256').update(key).digest('hex')
    : storable(key);
}

/**
 * Stores a delivery. A known delivery that contained no event is replaced, because senders repeat
 * such deliveries after the configuration has been corrected.
 *
 * @returns its internal id; undefined if it is already known.
 */
export async function recordDelivery(
  sql: BatchSql,
  delivery: JudgedDelivery,
  receivedAt: number,
): Promise<number | undefined> {
  const [row] = await sql.insertReturning({
    table: 'lake_deliveries',
    columns: DELIVERY_COLUMNS,
    rows: [
      {
        channel: delivery.channel,
        type: storable(delivery.type).slice(0, TYPE_LIMIT),
        delivery_key: keptKey(delivery.key),
        body: storable(delivery.body),
        context: JSON.stringify(delivery.context ?? {}),
        outcome: delivery.outcome,
        reason:
          delivery.reason === undefined ? null : storable(delivery.reason),
        received_at: receivedAt,
      },
    ],
    conflict: `(channel, delivery_key) ${overwrite(DELIVERY_COLUMNS)}
      WHERE lake_deliveries.outcome IN ('ignored', 'rejected')`,
    returning: { id: 'bigint' } as const,
  });
  return row?.id;
}
