import { chunksOf, type Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Status } from '../feedback/Feedback.ts';
import { markerOf } from '../issues/Issue.ts';
import { QUEUES } from './FeedbackStore.ts';

const CHUNK = 200;

/**
 * Deletes feedback with its history, its screenshot, its issue in the embedded tracker and its pending
 * work.
 */
export class FeedbackDeletion {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Deletes a record.
   *
   * @param options.only - the status that the record must have; any if undefined.
   * @returns the status that it had; undefined if there is no such record.
   */
  async delete(
    id: string,
    { only }: { only?: Status } = {},
  ): Promise<Status | undefined> {
    return this.#database.transaction(async trx => {
      const found = trx('feedback').where({ id });
      if (this.#database.client === 'postgres') {
        // Locked, so that its status does not change in the meantime.
        found.forUpdate();
      }
      const row: { status: Status } | undefined = await found.first('status');
      if (row && (only === undefined || row.status === only)) {
        await deleteAll(trx, [id]);
      }
      return row?.status;
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

async function deleteAll(
  trx: Knex.Transaction,
  ids: readonly string[],
): Promise<void> {
  await trx('kit_queue')
    .whereIn('queue', Object.values(QUEUES))
    .whereIn('id', ids)
    .delete();
  await trx('feedback_history').whereIn('feedback_id', ids).delete();
  await trx('screenshots').whereIn('feedback_id', ids).delete();
  // By their markers: a process that died may have created one that its record does not refer to.
  await trx('issues').whereIn('marker', ids.map(markerOf)).delete();
  await trx('feedback').whereIn('id', ids).delete();
}
