import type { Database } from '@slipway/service-kit';

/** An issue opened to remove a flag. */
export interface FlagIssue {
  readonly flag: string;
  readonly url: string;
  readonly number: number;
}

interface Row {
  flag_name: string;
  url: string;
  number: number;
}

/** Stores which issue was opened for which flag. */
export class FlagIssueStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<FlagIssue[]> {
    return (await this.#database.knex<Row>('flag_issues')).map(toIssue);
  }

  async find(flag: string): Promise<FlagIssue | undefined> {
    const row = await this.#database
      .knex<Row>('flag_issues')
      .where({ flag_name: flag })
      .first();
    return row && toIssue(row);
  }

  /** Stores an issue unless the flag has one. */
  async insert(
    { flag, url, number }: FlagIssue,
    { by, now }: { by: string; now: number },
  ): Promise<void> {
    await this.#database.transaction(trx =>
      trx('flag_issues')
        .insert({
          flag_name: flag,
          url,
          number,
          created_by: by,
          created_at: now,
        })
        .onConflict('flag_name')
        .ignore(),
    );
  }
}

function toIssue({ flag_name, url, number }: Row): FlagIssue {
  return { flag: flag_name, url, number };
}
