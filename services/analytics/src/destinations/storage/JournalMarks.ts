import type { Database } from '@slipway/service-kit';

/**
 * Milliseconds for which a replica that publishes nothing blocks the others: events of its
 * journal were acknowledged, but it may never return.
 */
export const GONE_MS = 24 * 3_600_000;

/**
 * The events of a journal that a shared store already has; times are milliseconds since the
 * Unix epoch.
 */
export interface Mark {
  /** The store has all events that arrived before, except deferred ones. */
  readonly movedBefore: number;
  /** When the oldest deferred event of each project arrived, if it has any. */
  readonly deferred: ReadonlyMap<string, number>;
}

/** The project id in the row of a journal that applies to all projects. */
const ALL = '';

/** Keeps in the service's database how much of each replica's journal a shared store has. */
export class JournalMarks {
  readonly #database: Database;
  readonly #journal: string;

  /** @param options.journal - id of this replica's journal. */
  constructor(options: { database: Database; journal: string }) {
    this.#database = options.database;
    this.#journal = options.journal;
  }

  /**
   * Publishes the mark of this replica, and deletes those of replicas that are gone.
   * @param mark - undefined if it is unknown. Then the last mark remains, and the replica
   *   counts as alive; if there is none, the store is assumed to have all events that
   *   arrived until now.
   */
  async publish(mark: Mark | undefined, now: number): Promise<void> {
    const mine = { journal: this.#journal };
    await this.#database.transaction(async trx => {
      await trx('journal_marks')
        .whereNot(mine)
        .where('published_at', '<=', now - GONE_MS)
        .delete();
      if (!mark) {
        await trx('journal_marks').where(mine).update({ published_at: now });
        await trx('journal_marks')
          .insert({
            ...mine,
            project_id: ALL,
            moved_before: now,
            published_at: now,
          })
          .onConflict(['journal', 'project_id'])
          .ignore();
        return;
      }
      await trx('journal_marks').where(mine).delete();
      await trx('journal_marks').insert(
        [[ALL, mark.movedBefore] as const, ...mark.deferred].map(
          ([projectId, before]) => ({
            ...mine,
            project_id: projectId,
            moved_before: before,
            published_at: now,
          }),
        ),
      );
    });
  }

  /** Deletes the mark of this replica, as the store has its events, except for deferred ones. */
  async withdraw(): Promise<void> {
    await this.#database.transaction(trx =>
      trx('journal_marks')
        .where({ journal: this.#journal, project_id: ALL })
        .delete(),
    );
  }

  /**
   * Returns the time of arrival up to which the store has all events of a project from
   * every replica.
   */
  async completeUpTo(projectId: string, now: number): Promise<number> {
    const row = await this.#database
      .knex('journal_marks')
      .whereIn('project_id', [ALL, projectId])
      .where('published_at', '>', now - GONE_MS)
      .min<{ before: number | string | null }>({ before: 'moved_before' })
      .first();
    return Number(row?.before ?? Infinity);
  }
}
