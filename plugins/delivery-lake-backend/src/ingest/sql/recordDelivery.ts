import { createHash } from 'node:crypto';
import { storable } from '../../events/storable';
import { JudgedDelivery } from '../IngestStore';
import { BatchSql } from './BatchSql';

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

/** A key that the column cannot hold is known by its hash. */
function keptKey(key: string): string {
  return key.length > KEY_LIMIT
    ? createHash('sha256').update(key).digest('hex')
    : storable(key);
}

/** Keeps a delivery. @returns its internal id; undefined when it is known already. */
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
    conflict: '(channel, delivery_key) DO NOTHING',
    returning: { id: 'bigint' } as const,
  });
  return row?.id;
}
