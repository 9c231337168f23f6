import type { Database } from '@slipway/service-kit';
import type { BranchJob } from '../jobs/Job.ts';

/** Stores the branches and pull requests that have their own job. */
export class BranchStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<BranchJob[]> {
    const rows: { name: string; parent: string; branch: string }[] =
      await this.#database
        .knex('jobs')
        .whereNotNull('parent')
        .orderBy('name')
        .select('name', 'parent', 'branch');
    return rows.map(({ name, parent, branch }) => ({
      name,
      parent,
      ...(JSON.parse(branch) as Pick<BranchJob, 'ref' | 'pullRequest'>),
    }));
  }

  /** Checks whether a branch has its own job. */
  async has(name: string): Promise<boolean> {
    const row = await this.#database
      .knex('jobs')
      .where({ name })
      .whereNotNull('parent')
      .first('name');
    return row !== undefined;
  }

  /** @param seenAt - milliseconds since the Unix epoch. */
  async add(branch: BranchJob, seenAt: number): Promise<void> {
    const { name, parent, ref, pullRequest } = branch;
    await this.#database.transaction(trx =>
      trx('jobs')
        .insert({
          name,
          parent,
          branch: JSON.stringify({ ref, pullRequest }),
          last_number: 0,
          seen_at: seenAt,
        })
        .onConflict('name')
        .merge(['parent', 'branch', 'seen_at']),
    );
  }

  /**
   * Removes a branch. The number of its last build is kept, in case a branch of the same name is
   * created later.
   */
  async remove(name: string): Promise<void> {
    await this.#database.transaction(trx =>
      trx('jobs')
        .where({ name })
        .update({ parent: null, branch: null, skipped: null, seen_at: 0 }),
    );
  }
}
