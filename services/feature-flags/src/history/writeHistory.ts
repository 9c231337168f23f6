import type { Knex } from 'knex';
import type { HistoryEvent } from './HistoryEvent.ts';

/** Writes down what was changed, in the transaction that changes it. */
export async function writeHistory(
  trx: Knex.Transaction,
  event: Omit<HistoryEvent, 'id' | 'before' | 'after'> & {
    before?: object;
    after?: object;
  },
): Promise<void> {
  await trx('history').insert({
    type: event.type,
    subject: event.subject,
    environment: event.environment,
    created_by: event.createdBy,
    created_at: event.createdAt,
    before: event.before ? JSON.stringify(event.before) : null,
    after: event.after ? JSON.stringify(event.after) : null,
  });
}
