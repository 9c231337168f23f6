import type { Knex } from 'knex';
import type { Feedback } from '../feedback/Feedback.ts';

/**
 * Writes down, in the transaction of the move, that a sender is to be told: theirs is
 * resolved, and they are a user of the portal. What is opened again is not told of.
 */
export async function noteForSender(
  trx: Knex.Transaction,
  move: { before: Feedback; after: Feedback; now: number },
): Promise<void> {
  const { before, after, now } = move;
  if (before.status === after.status) {
    return;
  }
  if (after.status !== 'resolved') {
    await trx('notices').where({ feedback_id: after.id }).delete();
    return;
  }
  if (after.sender.author?.startsWith('user:')) {
    await trx('notices')
      .insert({
        feedback_id: after.id,
        created_at: now,
        next_attempt_at: now,
        attempts: 0,
      })
      .onConflict('feedback_id')
      .ignore();
  }
}
