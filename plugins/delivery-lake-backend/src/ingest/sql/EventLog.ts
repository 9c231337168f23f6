import { DigestedEvent } from '../../events/canonicalJson';
import { LakeEvent, RecordKind } from '../../events/LakeEvent';
import { recordKey } from '../../events/recordKey';
import { BatchSql, columnList } from './BatchSql';

const KEY_COLUMNS = { kind: 'text', record_key: 'text' } as const;

const KNOWN_COLUMNS = { ...KEY_COLUMNS, digest: 'text', body: 'text' } as const;

const EVENT_COLUMNS = {
  ...KNOWN_COLUMNS,
  source: 'text',
  occurred_at: 'bigint',
  delivery_id: 'bigint',
  received_at: 'bigint',
} as const;

/** An event with how it came here. */
export interface LoggedEvent extends DigestedEvent {
  /** Milliseconds since the Unix epoch. */
  receivedAt: number;
  /** Internal id of the delivery that it is from. */
  deliveryId?: number;
}

/** Names a record of any kind. */
export interface RecordName {
  kind: RecordKind;
  key: string;
}

/** {@link RecordName} as the key of a map. */
export function mapKey({ kind, key }: RecordName): string {
  return `${kind} ${key}`;
}

/** The table `lake_events`: everything that was ever said. */
export class EventLog {
  readonly #sql: BatchSql;

  constructor(sql: BatchSql) {
    this.#sql = sql;
  }

  /** All events of these records, by {@link mapKey}; nothing for those never heard of. */
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

  /** Adds events that are not there yet. */
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
