import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';

/** The things whose changes replicas follow. */
export type RevisionSubject = 'flags' | 'tokens';

interface RevisionRow {
  subject: RevisionSubject;
  revision: number | string;
  lineage: string;
}

/** On which PostgreSQL tells other replicas that a revision has risen. */
export const REVISION_CHANNEL = 'feature_flags_revisions';

/** The number of changes of a subject, and the database in which they are counted. */
export interface Revision {
  readonly revision: number;
  readonly lineage: string;
}

/** Reads both revisions in one statement. */
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
  if (trx.client.config.client === 'pg') {
    // Sent when the transaction is committed.
    await trx.raw('SELECT pg_notify(?, ?)', [REVISION_CHANNEL, subject]);
  }
  return Number(row.revision);
}

interface FollowerOptions {
  read: () => Promise<Record<RevisionSubject, Revision>>;
  /** Reads anew what a subject stands for. */
  follow: Readonly<Record<RevisionSubject, () => Promise<void>>>;
}

/**
 * Follows what other replicas write: asks for the revisions, which is one small row
 * each, and has what rests on them read anew where they have moved.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #seen = new Map<RevisionSubject, string>();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Looks once. @throws Error when the database does not answer. */
  async look(): Promise<void> {
    const revisions = await this.#options.read();
    for (const subject of ['flags', 'tokens'] as const) {
      const { revision, lineage } = revisions[subject];
      const mark = `${lineage}:${revision}`;
      if (this.#seen.get(subject) !== mark) {
        await this.#options.follow[subject]();
        this.#seen.set(subject, mark);
      }
    }
  }
}
