import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';

/** The subjects whose changes replicas follow. */
export type RevisionSubject = 'flags' | 'tokens';

/** The subject of the row with the revision of the latest permanent deletion, if there was any. */
const DELETION = 'deletion';

interface RevisionRow {
  subject: RevisionSubject | typeof DELETION;
  revision: number | string;
  lineage: string;
}

/** The channel on which PostgreSQL notifies other replicas of new revisions. */
export const REVISION_CHANNEL = 'feature_flags_revisions';

/** The number of changes of a subject, and the database in which they are counted. */
export interface Revision {
  readonly revision: number;
  readonly lineage: string;
}

/** The revision of flags, with that of their latest permanent deletion, which leaves no other trace. */
export interface FlagRevision extends Revision {
  /** 0 if there was none. */
  readonly deletion: number;
}

/** Reads both revisions in one statement. */
export async function readRevisions(
  knex: Knex,
): Promise<{ flags: FlagRevision; tokens: Revision }> {
  const rows = await knex<RevisionRow>('revisions').select();
  const of = (subject: RevisionSubject): Revision => {
    const row = rows.find(each => each.subject === subject)!;
    return { revision: Number(row.revision), lineage: row.lineage };
  };
  const deleted = rows.find(({ subject }) => subject === DELETION);
  return {
    flags: { ...of('flags'), deletion: Number(deleted?.revision ?? 0) },
    tokens: of('tokens'),
  };
}

/** Records a permanent deletion of flags, so that all followers of changes start over. */
export async function noteDeletion(trx: Knex.Transaction): Promise<void> {
  const revision = await raiseRevision(trx, 'flags');
  const { lineage } = (await readRevisions(trx)).flags;
  await trx<RevisionRow>('revisions')
    .insert({ subject: DELETION, revision, lineage })
    .onConflict('subject')
    .merge(['revision']);
}

/**
 * Locks out other writers until the transaction ends, so that what it reads stays valid and revisions
 * become visible in order. SQLite only has one writer.
 */
export async function lockRevision(
  trx: Knex.Transaction,
  options: { subject: RevisionSubject; client: Database['client'] },
): Promise<void> {
  if (options.client === 'postgres') {
    await trx('revisions').where({ subject: options.subject }).forUpdate();
  }
}

/** Increments the revision. @returns the new revision. */
export async function raiseRevision(
  trx: Knex.Transaction,
  subject: RevisionSubject,
): Promise<number> {
  const [row] = await trx<RevisionRow>('revisions')
    .where({ subject })
    .update({ revision: trx.raw('revision + 1') as unknown as number })
    .returning('revision');
  if (trx.client.config.client === 'pg') {
    // Sent on commit.
    await trx.raw('SELECT pg_notify(?, ?)', [REVISION_CHANNEL, subject]);
  }
  return Number(row.revision);
}
