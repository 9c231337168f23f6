import { chunksOf, type Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { v7 } from 'uuid';
import {
  type Feedback,
  isOpenForVoting,
  type StatusChange,
} from '../feedback/Feedback.ts';
import type { FeedbackMerge } from './FeedbackMerge.ts';
import { type FeedbackRow, fromRow, toRow } from './FeedbackRow.ts';

/** Maximum number of rows of one insertion. */
const AT_ONCE = 100;

/** A past vote. */
export interface PastVote {
  readonly voter: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** A past record with the changes of its status, oldest first, and its votes. */
export interface PastFeedback {
  readonly feedback: Feedback;
  /** Identifies it within the import: importing it again does not create a duplicate. */
  readonly key: string;
  readonly changes: readonly StatusChange[];
  readonly votes: readonly PastVote[];
  /** The key of the record that a duplicate was merged into, by whom, and when. */
  readonly merge?: {
    readonly into: string;
    readonly actor: string;
    readonly at: number;
  };
}

/** Thrown for a duplicate whose target does not exist or is not open for voting. */
export class MergeTargetError extends Error {
  override readonly name = 'MergeTargetError';
  /** The index of the duplicate in the import. */
  readonly index: number;

  constructor(index: number) {
    super('The other record is not open for voting');
    this.index = index;
  }
}

/** Stores past records. */
export class ImportedFeedback {
  readonly #database: Database;
  readonly #merges: FeedbackMerge;

  constructor(options: { database: Database; merges: FeedbackMerge }) {
    this.#database = options.database;
    this.#merges = options.merges;
  }

  /**
   * Adds records in one transaction, without notifying anyone. Skips records whose key exists, and
   * duplicates of earlier records whose voting has ended since.
   *
   * @returns the number of new records.
   * @throws MergeTargetError if a duplicate cannot be merged into its target.
   */
  async add(records: readonly PastFeedback[]): Promise<number> {
    return this.#database.transaction(async trx => {
      const added: [index: number, record: PastFeedback][] = [];
      const earlier = await ballotsOf(trx, records);
      for (const [index, record] of records.entries()) {
        const target = record.merge && earlier.get(record.merge.into);
        const hasEnded = target !== undefined && !isOpenForVoting(target);
        if (!hasEnded && (await insert(trx, record))) {
          added.push([index, record]);
        }
      }
      // Only once all are stored, because a duplicate may precede its target.
      for (const [index, record] of added) {
        await this.#merge(trx, record, index);
      }
      return added.length;
    });
  }

  async #merge(
    trx: Knex.Transaction,
    { feedback: { id }, merge }: PastFeedback,
    index: number,
  ): Promise<void> {
    if (!merge) {
      return;
    }
    const target: { id: string } | undefined = await trx('feedback')
      .where({ source_key: merge.into })
      .whereNot({ id })
      .first('id');
    const outcome =
      target &&
      (await this.#merges.mergeIn(trx, { id, into: target.id }, merge));
    if (typeof outcome !== 'object') {
      throw new MergeTargetError(index);
    }
  }
}

/**
 * Returns the stored records that imported duplicates refer to, by key, if they are or were open for
 * voting.
 */
async function ballotsOf(
  trx: Knex.Transaction,
  records: readonly PastFeedback[],
): Promise<Map<string, Feedback>> {
  const keys = records.flatMap(({ merge }) => (merge ? [merge.into] : []));
  const rows = await trx<FeedbackRow>('feedback')
    .whereIn('source_key', keys)
    .whereNotNull('voting_title');
  return new Map(rows.map(row => [row.source_key ?? '', fromRow(row)]));
}

/**
 * Stores a record unless its key exists.
 *
 * @returns whether the record is new.
 */
async function insert(
  trx: Knex.Transaction,
  { feedback, key, changes, votes }: PastFeedback,
): Promise<boolean> {
  const rows = await trx('feedback')
    .insert(toRow(feedback, key))
    .onConflict('source_key')
    .ignore()
    .returning('id');
  if (rows.length === 0) {
    return false;
  }
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
  for (const chunk of chunksOf(votes, AT_ONCE)) {
    await trx('feedback_votes').insert(
      chunk.map(({ voter, at }) => ({
        id: `vt_${v7()}`,
        feedback_id: feedback.id,
        voter,
        created_at: at,
      })),
    );
  }
  return true;
}
