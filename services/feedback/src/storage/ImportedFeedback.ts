import { chunksOf, type Database } from '@slipway/service-kit';
import type { Feedback, StatusChange } from '../feedback/Feedback.ts';
import { QUEUES, toRow } from './FeedbackStore.ts';

const CHUNK = 200;

/** A past record with the changes of its status, oldest first. */
export interface PastFeedback {
  readonly feedback: Feedback;
  /** Identifies it within the import: importing it again does not create a duplicate. */
  readonly key: string;
  readonly changes: readonly StatusChange[];
}

/** Stores past records, and deletes those of a namespace of the catalog. */
export class ImportedFeedback {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adds all records or none, without notifying anyone.
   *
   * @returns how many were new.
   */
  async add(records: readonly PastFeedback[]): Promise<number> {
    return this.#database.transaction(async trx => {
      let added = 0;
      for (const { feedback, key, changes } of records) {
        const rows = await trx('feedback')
          .insert(toRow(feedback, key))
          .onConflict('source_key')
          .ignore()
          .returning('id');
        if (rows.length > 0) {
          added += 1;
          for (const change of changes) {
            await trx('feedback_history').insert({
              feedback_id: feedback.id,
              at: change.at,
              actor: change.actor,
              from_status: change.from,
              to_status: change.to,
              notes: change.notes,
            });
          }
        }
      }
      return added;
    });
  }

  /**
   * Deletes all feedback about the components of a namespace, from any sender, with its history,
   * screenshots and issues in the embedded tracker.
   *
   * @returns how many records were deleted.
   */
  async deleteNamespace(namespace: string): Promise<number> {
    return this.#database.transaction(async trx => {
      const prefix = `component:${namespace}/`;
      const rows: { id: string; issue: number | null }[] = await trx('feedback')
        // Senders may write it in upper or lower case, as everywhere in the catalog.
        .whereRaw('LOWER(substr(component, 1, ?)) = ?', [prefix.length, prefix])
        .select('id', {
          issue: trx.raw(
            "CASE WHEN issue_tracker = 'embedded' THEN issue_number END",
          ),
        });
      for (const chunk of chunksOf(rows, CHUNK)) {
        const ids = chunk.map(({ id }) => id);
        const issues = chunk.flatMap(({ issue }) => issue ?? []);
        await trx('kit_queue')
          .whereIn('queue', Object.values(QUEUES))
          .whereIn('id', ids)
          .delete();
        await trx('feedback_history').whereIn('feedback_id', ids).delete();
        await trx('screenshots').whereIn('feedback_id', ids).delete();
        await trx('issues').whereIn('number', issues).delete();
        await trx('feedback').whereIn('id', ids).delete();
      }
      return rows.length;
    });
  }
}
