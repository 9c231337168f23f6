import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';

/** What replicas follow. */
export type RevisionSubject = 'flags' | 'tokens';

interface RevisionRow {
  subject: RevisionSubject;
  revision: number | string;
  lineage: string;
}

/** How often something was changed, and in which database that is counted. */
export interface Revision {
  readonly revision: number;
  readonly lineage: string;
}

/** Both revisions, in one question. */
export async function readRevisions(
  knex: Knex,
): Promise<Record<RevisionSubject, Revision>> {
  const rows = await knex<RevisionRow>('revisions').select();
  const of = (subject: RevisionSubject): Revision => {
    const row = rows.find(each => each.subject === subject)!;
    return { revision: Number(row.revision), lineage: row.lineage };
  };
  return { flags: of('flags'), tokens: of('tokens') };
}

/**
 * Keeps other writers out until the transaction ends: what is read in it stays true,
 * and revisions become visible in their order. SQLite has one writer anyway.
 */
export async function lockRevision(
  trx: Knex.Transaction,
  options: { subject: RevisionSubject; client: Database['client'] },
): Promise<void> {
  if (options.client === 'postgres') {
    await trx('revisions').where({ subject: options.subject }).forUpdate();
  }
}

/** Counts a change. @returns its revision. */
export async function raiseRevision(
  trx: Knex.Transaction,
  subject: RevisionSubject,
): Promise<number> {
  const [row] = await trx<RevisionRow>('revisions')
    .where({ subject })
    .update({ revision: trx.raw('revision + 1') as unknown as number })
    .returning('revision');
  return Number(row.revision);
}
