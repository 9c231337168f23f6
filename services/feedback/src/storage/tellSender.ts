import type { LeasedQueue } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { type Feedback, OPEN_STATUSES } from '../feedback/Feedback.ts';

/**
 * Time until the sender is notified of an archived record: archiving and merging can be undone.
 */
export const ARCHIVED_PAUSE_MS = 10 * 60_000;

/**
 * Suffix of the id of a notice that a record is archived; the id of a notice that it is resolved is that of
 * the record. The ids differ because one notice may be in delivery while the other is enqueued.
 */
const ARCHIVED = ':archived';

/** Returns the record that a notice is about, and whether the notice says that it is archived. */
export function noticeOf(itemId: string): { id: string; isArchived: boolean } {
  const isArchived = itemId.endsWith(ARCHIVED);
  return {
    id: isArchived ? itemId.slice(0, -ARCHIVED.length) : itemId,
    isArchived,
  };
}

/**
 * Enqueues the notice to the sender that a record is resolved or, after a pause, archived, and
 * cancels those that are no longer true. Archiving a resolved record is no news to the sender.
 */
export async function tellSender(
  trx: Knex.Transaction,
  queue: LeasedQueue<object>,
  { before, after }: { before: Feedback; after: Feedback },
): Promise<void> {
  const { id, status, updatedAt, sender } = after;
  const isReopened =
    OPEN_STATUSES.includes(status) && !OPEN_STATUSES.includes(before.status);
  if (isReopened) {
    await queue.cancel(trx, id);
  }
  if (before.status === 'archived') {
    await queue.cancel(trx, id + ARCHIVED);
  }
  if (!sender.author?.startsWith('user:')) {
    return;
  }
  const item = { lane: id, payload: {}, createdAt: updatedAt };
  if (status === 'resolved') {
    await queue.enqueue(trx, [{ ...item, id }]);
  } else if (status === 'archived' && before.status !== 'resolved') {
    const dueAt = updatedAt + ARCHIVED_PAUSE_MS;
    await queue.enqueue(trx, [{ ...item, id: id + ARCHIVED, dueAt }]);
  }
}
