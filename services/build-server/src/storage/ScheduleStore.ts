import type { Database } from '@slipway/service-kit';

/** Stores when the schedules of jobs were last checked. */
export class ScheduleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Reads when the schedule of a job was last checked, in milliseconds since the Unix epoch;
   * undefined if it never was.
   */
  async findScheduleCheck(job: string): Promise<number | undefined> {
    const row = await this.#database
      .knex('jobs')
      .where({ name: job })
      .first('scheduled_at');
    const at = row?.scheduled_at ?? null;
    return at === null ? undefined : Number(at);
  }

  /** Records that the schedule of a job was checked, and that what was due is queued. */
  async noteScheduleCheck(job: string, now: number): Promise<void> {
    await this.#database.transaction(trx =>
      trx('jobs').where({ name: job }).update({ scheduled_at: now }),
    );
  }
}
