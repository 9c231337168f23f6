import type { Knex } from 'knex';

const TABLE = 'feedback_duplicate_votes';

/** The voters of a duplicate: those who voted for it, and those who voted for its own duplicates. */
export interface DuplicateVoter {
  readonly voter: string;
  /** True if the user voted for the duplicate itself. */
  readonly isOwn: boolean;
}

/**
 * Notes who voted for a record that becomes a duplicate, so that its votes can be given back. Votes
 * from its own duplicates are noted there already, unless these have been deleted.
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

/** Notes one voter of a duplicate. */
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

/** Checks whether a user is noted as a voter of a duplicate. */
export async function isNotedVoter(
  knex: Knex,
  id: string,
  voter: string,
): Promise<boolean> {
  const noted = await knex(TABLE)
    .where({ feedback_id: id, voter })
    .first('voter');
  return noted !== undefined;
}

/** Selects the voters noted for some duplicates. */
export function notedVoters(
  trx: Knex.Transaction,
  ids: readonly string[],
): Knex.QueryBuilder {
  return trx(TABLE)
    .whereIn('feedback_id', [...ids])
    .select('voter');
}

/**
 * Returns the voters noted for a duplicate and its own duplicates who still have a vote for the record
 * that these were merged into.
 */
export async function votersOf(
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

/** Forgets the vote of a user for the duplicates of a record, from which the user withdraws it. */
export async function forgetVote(
  trx: Knex.Transaction,
  { mergedInto, voter }: { mergedInto: string; voter: string },
): Promise<void> {
  await trx(TABLE)
    .where({ voter })
    .whereIn('feedback_id', duplicatesOf(trx, mergedInto))
    .delete();
}

/** Forgets all votes of a user for duplicates. */
export async function forgetVoter(
  trx: Knex.Transaction,
  voter: string,
): Promise<void> {
  await trx(TABLE).where({ voter }).delete();
}

/** Forgets the votes for some records, which are deleted or no longer duplicates. */
export async function forgetVotes(
  trx: Knex.Transaction,
  ids: readonly string[],
): Promise<void> {
  await trx(TABLE)
    .whereIn('feedback_id', [...ids])
    .delete();
}

/** Selects the ids of what has been merged into a record. */
function duplicatesOf(trx: Knex.Transaction, id: string): Knex.QueryBuilder {
  return trx('feedback').where({ merged_into: id }).select('id');
}
