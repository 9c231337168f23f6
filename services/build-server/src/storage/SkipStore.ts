import type { Database, Transaction } from '@slipway/service-kit';
import type { PullRequest } from '../builds/Build.ts';

/** A push that was not built because of the message of its head commit. */
export interface SkippedPush {
  commit: string | null;
  /** The first line of the message. */
  title: string;
  /** e.g. `refs/heads/main` */
  ref: string | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** The pull request of which it is the head, as its event described it. */
  pullRequest?: PullRequest;
}

/** Stores the last skipped push of each job. */
export class SkipStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the last skipped push of every job that has one, by its name. */
  async list(): Promise<Map<string, SkippedPush>> {
    const rows: { name: string; skipped: string }[] = await this.#database
      .knex('jobs')
      .whereNotNull('skipped')
      .select('name', 'skipped');
    return new Map(rows.map(row => [row.name, JSON.parse(row.skipped)]));
  }

  async find(job: string): Promise<SkippedPush | undefined> {
    const row: { skipped: string | null } | undefined = await this.#database
      .knex('jobs')
      .where({ name: job })
      .first('skipped');
    return row?.skipped ? JSON.parse(row.skipped) : undefined;
  }

  /**
   * Replaces the last skipped push of a job.
   *
   * @param also - called in the same transaction, which may be retried.
   */
  async record(
    job: string,
    push: SkippedPush,
    also?: (trx: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.#database.transaction(async trx => {
      await trx('jobs')
        .insert({
          ...{ name: job, last_number: 0, seen_at: push.at },
          skipped: JSON.stringify(push),
        })
        .onConflict('name')
        .merge(['skipped']);
      await also?.(trx);
    });
  }
}
