import { chunksOf } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { v7 } from 'uuid';
import { QUEUES } from './FeedbackStore.ts';

const TABLE = 'feedback_duplicate_votes';

/** Maximum number of rows per INSERT. */
const AT_ONCE = 100;

/** A voter of a duplicate or of its own duplicates. */
interface DuplicateVoter {
  readonly voter: string;
  /** True if the user voted for the duplicate itself. */
  readonly isOwn: boolean;
}

/** A duplicate that a user voted for before it was merged. */
export interface VotedDuplicate {
  readonly feedbackId: string;
  /** Its voting title; null for the user's own feedback if it was never open for voting. */
  readonly title: string | null;
  /** The id of the record that it was merged into. */
  readonly mergedInto: string;
}

/**
 * Records who voted for a record that becomes a duplicate, so that the votes can be restored. Votes
 * that came from its own duplicates are already recorded for these, unless they have been deleted.
 */
export async function noteVotes(
  trx: Knex.Transaction,
  id: string,
): Promise<void> {
  await trx(TABLE).where({ feedback_id: id }).delete();
  await trx(trx.raw('?? (??, ??)', [TABLE, 'feedback_id', 'voter'])).insert(
    trx('feedback_votes')
      .where({ feedback_id: id })
      .whereNotNull('voter')
      .where(own =>
        own
          .where({ from_duplicate: false })
          .orWhereNotIn(
            'voter',
            trx(TABLE)
              .whereIn('feedback_id', duplicatesOf(trx, id))
              .select('voter'),
          ),
      )
      .select('feedback_id', 'voter'),
  );
}

/** Records one voter of a duplicate. */
export async function noteVote(
  trx: Knex.Transaction,
  id: string,
  voter: string,
): Promise<void> {
  await trx(TABLE)
    .insert({ feedback_id: id, voter })
    .onConflict(['feedback_id', 'voter'])
    .ignore();
}

/**
 * Returns the duplicates for which a user is recorded as a voter, oldest first: only the one with the
 * given id, or all that were merged into the given records.
 */
export async function findVotedDuplicates(
  knex: Knex,
  voter: string,
  which: { id: string } | { mergedInto: readonly string[] },
): Promise<VotedDuplicate[]> {
  const found = knex(TABLE)
    .join('feedback', 'feedback.id', 'feedback_id')
    .where({ voter });
  if ('id' in which) {
    found.where({ feedback_id: which.id });
  } else {
    found.whereIn('merged_into', [...which.mergedInto]);
  }
  return found.orderBy('feedback_id').select({
    feedbackId: 'feedback_id',
    title: 'voting_title',
    mergedInto: 'merged_into',
  });
}

/** Selects the recorded voters of some duplicates. */
function notedVoters(
  trx: Knex.Transaction,
  ids: readonly string[],
): Knex.QueryBuilder {
  return trx(TABLE)
    .whereIn('feedback_id', [...ids])
    .select('voter');
}

/**
 * Returns the recorded voters of a duplicate and its own duplicates (`within`) whose vote for the
 * record that these were merged into still exists.
 */
async function votersOf(
  trx: Knex.Transaction,
  id: string,
  { within, mergedInto }: { within: readonly string[]; mergedInto: string },
): Promise<DuplicateVoter[]> {
  const rows: { feedback_id: string; voter: string }[] = await notedVoters(
    trx,
    within,
  )
    .whereIn(
      'voter',
      trx('feedback_votes')
        .where({ feedback_id: mergedInto })
        .whereNotNull('voter')
        .select('voter'),
    )
    .select('feedback_id');
  const own = new Map<string, boolean>();
  for (const row of rows) {
    own.set(row.voter, (own.get(row.voter) ?? false) || row.feedback_id === id);
  }
  return [...own].map(([voter, isOwn]) => ({ voter, isOwn }));
}

/**
 * Deletes the recorded votes of a user for duplicates of a record, because the user withdraws the
 * vote for the record.
 */
export async function forgetVote(
  trx: Knex.Transaction,
  { mergedInto, voter }: { mergedInto: string; voter: string },
): Promise<void> {
  await trx(TABLE)
    .where({ voter })
    .whereIn('feedback_id', duplicatesOf(trx, mergedInto))
    .delete();
}

/** Deletes all recorded votes of a user for duplicates. */
export async function forgetVoter(
  trx: Knex.Transaction,
  voter: string,
): Promise<void> {
  await trx(TABLE).where({ voter }).delete();
}

/** Deletes the recorded votes for records that are deleted or no longer duplicates. */
export async function forgetVotes(
  trx: Knex.Transaction,
  ids: readonly string[],
): Promise<void> {
  await trx(TABLE)
    .whereIn('feedback_id', [...ids])
    .delete();
}

/**
 * Moves votes to another record, where each user keeps at most one.
 *
 * @returns the number of votes that the other record gains.
 */
export async function moveVotes(
  trx: Knex.Transaction,
  { id, into, at }: { id: string; into: string; at: number },
): Promise<number> {
  // Notifications that are still queued are about the duplicate, which is no longer open for voting.
  await trx('kit_queue').where({ queue: QUEUES.votes, lane: id }).delete();
  const moved = await trx('feedback_votes')
    .where({ feedback_id: id })
    .whereNotNull('voter')
    .whereNotIn(
      'voter',
      trx('feedback_votes')
        .where({ feedback_id: into })
        .whereNotNull('voter')
        .select('voter'),
    )
    .update({ feedback_id: into, created_at: at, from_duplicate: true });
  await trx('feedback_votes').where({ feedback_id: id }).delete();
  return moved;
}

/**
 * Restores the votes for a duplicate and its own duplicates (`within`). Removes them from the other
 * record, unless their users also voted for that record or for its remaining duplicates (`rest`).
 *
 * @returns the number of votes for the former duplicate.
 */
export async function giveBackVotes(
  trx: Knex.Transaction,
  options: {
    id: string;
    into: string;
    within: readonly string[];
    rest: readonly string[];
    isVotable: boolean;
    at: number;
  },
): Promise<number> {
  const { id, into, within, rest, isVotable, at } = options;
  const voters = isVotable
    ? await votersOf(trx, id, { within, mergedInto: into })
    : [];
  const taken = await trx('feedback_votes')
    .where({ feedback_id: into, from_duplicate: true })
    .whereIn('voter', notedVoters(trx, within))
    .whereNotIn('voter', notedVoters(trx, rest))
    .update({ voter: null, withdrawn_at: at });
  await trx('feedback').where({ id: into }).decrement('votes', taken);
  for (const chunk of chunksOf(voters, AT_ONCE)) {
    await trx('feedback_votes').insert(
      chunk.map(({ voter, isOwn }) => ({
        id: `vt_${v7()}`,
        feedback_id: id,
        voter,
        created_at: at,
        from_duplicate: !isOwn,
      })),
    );
  }
  await forgetVotes(trx, [id]);
  return voters.length;
}

/** Selects the ids of the records that have been merged into a record. */
function duplicatesOf(trx: Knex.Transaction, id: string): Knex.QueryBuilder {
  return trx('feedback').where({ merged_into: id }).select('id');
}
