import type { Database } from '@slipway/service-kit';

/** Stores which jobs people have disabled. */
export class DisabledJobStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns who disabled each disabled job, by its name. */
  async list(): Promise<Map<string, string>> {
    const rows: { name: string; disabled_by: string }[] = await this.#database
      .knex('jobs')
      .whereNotNull('disabled_by')
      .select('name', 'disabled_by');
    return new Map(rows.map(({ name, disabled_by: by }) => [name, by]));
  }

  /** @param by - who disabled the job; null to enable it. */
  async set(name: string, by: string | null, now: number): Promise<void> {
    await this.#database.transaction(trx =>
      trx('jobs')
        .insert({ name, last_number: 0, seen_at: now, disabled_by: by })
        .onConflict('name')
        .merge(['disabled_by']),
    );
  }
}
