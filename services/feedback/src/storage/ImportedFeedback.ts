import type { Database } from '@slipway/service-kit';
import type { Feedback, StatusChange } from '../feedback/Feedback.ts';
import { toRow } from './FeedbackRow.ts';

/** A past record with the changes of its status, oldest first. */
export interface PastFeedback {
  readonly feedback: Feedback;
  /** Identifies it within the import: importing it again does not create a duplicate. */
  readonly key: string;
  readonly changes: readonly StatusChange[];
}

/** Stores past records. */
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
}
