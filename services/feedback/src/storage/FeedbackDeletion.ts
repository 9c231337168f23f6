import { chunksOf, type Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Status } from '../feedback/Feedback.ts';
import { markerOf } from '../issues/Issue.ts';
import { forgetVotes } from './DuplicateVotes.ts';
import { QUEUES } from './FeedbackStore.ts';

const CHUNK = 200;

/**
 * Deletes feedback with its history, replies, votes, screenshot, issue in the embedded tracker, and
 * pending work.
 */
export class FeedbackDeletion {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Deletes a record.
   *
   * @param options.unlessActedOn - whether to keep the record if its status has been changed, it
   *   was opened for voting, or its sender got a reply.
   * @returns whether it was deleted; undefined if there is no such record.
   */
  async delete(
    id: string,
    { unlessActedOn }: { unlessActedOn: boolean },
  ): Promise<boolean | undefined> {
    return this.#database.transaction(async trx => {
      const found = trx('feedback').where({ id });
      if (this.#database.client === 'postgres') {
        // Locked, so that no one acts on it in the meantime.
        found.forUpdate();
      }
      const row: { status: Status; voting_title: string | null } | undefined =
        await found.first('status', 'voting_title');
      if (!row) {
        return undefined;
      }
      if (
        unlessActedOn &&
        (row.status !== 'new' ||
          row.voting_title !== null ||
          (await hasReply(trx, id)))
      ) {
        return false;
      }
      await deleteAll(trx, [id]);
      return true;
    });
  }

  /**
   * Deletes all feedback about the components of a namespace of the catalog, from any sender.
   *
   * @returns how many records were deleted.
   */
  async deleteNamespace(namespace: string): Promise<number> {
    return this.#database.transaction(async trx => {
      const prefix = `component:${namespace}/`;
      const found = trx('feedback')
        // Senders may write it in upper or lower case, as everywhere in the catalog.
        .whereRaw('LOWER(substr(component, 1, ?)) = ?', [prefix.length, prefix])
        .orderBy('id');
      if (this.#database.client === 'postgres') {
        // Locked, so that no issue is created for them in the meantime.
        found.forUpdate();
      }
      const ids: string[] = await found.pluck('id');
      for (const chunk of chunksOf(ids, CHUNK)) {
        await deleteAll(trx, chunk);
      }
      return ids.length;
    });
  }
}

/** Checks whether an admin has replied to the sender. */
async function hasReply(trx: Knex.Transaction, id: string): Promise<boolean> {
  const reply = await trx('feedback_replies')
    .where({ feedback_id: id, from_sender: false, internal: false })
    .first('id');
  return reply !== undefined;
}

async function deleteAll(
  trx: Knex.Transaction,
  ids: readonly string[],
): Promise<void> {
  await trx('kit_queue')
    .whereIn('queue', Object.values(QUEUES))
    .whereIn('lane', ids)
    .delete();
  await trx('feedback_replies').whereIn('feedback_id', ids).delete();
  await trx('feedback_votes').whereIn('feedback_id', ids).delete();
  const duplicates: string[] = await trx('feedback')
    .whereIn('merged_into', ids)
    .pluck('id');
  await forgetVotes(trx, [...ids, ...duplicates]);
  await trx('feedback').whereIn('merged_into', ids).update({
    merged_into: null,
    duplicate_of: null,
    status_before_merge: null,
    voting_open: false,
  });
  await trx('feedback_history').whereIn('feedback_id', ids).delete();
  await trx('screenshots').whereIn('feedback_id', ids).delete();
  // By marker, since a process that died may have created an issue that its record does not refer
  // to.
  await trx('issues').whereIn('marker', ids.map(markerOf)).delete();
  await trx('feedback').whereIn('id', ids).delete();
}
