import { chunksOf, type Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { OPEN_STATUSES, STATUSES } from '../feedback/Feedback.ts';
import type { Screenshot } from '../screenshots/Screenshot.ts';

const CHUNK = 200;

/** The statuses of feedback that nobody works on any more. */
const CLOSED_STATUSES = STATUSES.filter(
  status => !OPEN_STATUSES.includes(status),
);

/** The space that screenshots use, in bytes. */
export interface ScreenshotUsage {
  readonly bytes: number;
  readonly quotaBytes: number;
}

/** Stores the screenshots of feedback in the service's database, up to a total size. */
export class ScreenshotStore {
  readonly #database: Database;
  readonly #quotaBytes: number;

  /** @param options.quotaBytes - no limit by default. */
  constructor(options: { database: Database; quotaBytes?: number }) {
    this.#database = options.database;
    this.#quotaBytes = options.quotaBytes ?? Infinity;
  }

  /**
   * Checks whether there is space for a screenshot. On PostgreSQL, screenshots that are submitted at
   * the same time may exceed the quota together.
   */
  async fits(trx: Knex, { bytes }: Screenshot): Promise<boolean> {
    return (await sizeOf(trx)) + bytes.length <= this.#quotaBytes;
  }

  /** Stores the screenshot of a record. */
  async add(
    trx: Knex.Transaction,
    id: string,
    { type, bytes }: Screenshot,
  ): Promise<void> {
    await trx('screenshots').insert({ feedback_id: id, type, bytes });
  }

  /** Returns the screenshot of a record; undefined if it has none. */
  async find(id: string): Promise<Screenshot | undefined> {
    const row: Screenshot | undefined = await this.#database
      .knex('screenshots')
      .where({ feedback_id: id })
      .first('type', 'bytes');
    return row;
  }

  async usage(): Promise<ScreenshotUsage> {
    return {
      bytes: await sizeOf(this.#database.knex),
      quotaBytes: this.#quotaBytes,
    };
  }

  /**
   * Deletes the screenshots of feedback that was resolved or archived before a time.
   *
   * @param before - milliseconds since the Unix epoch.
   */
  async deleteClosed(before: number): Promise<void> {
    await this.#database.transaction(async trx => {
      const closed: { id: string }[] = await trx('feedback')
        .whereIn('status', CLOSED_STATUSES)
        .where('updated_at', '<', before)
        .whereNotNull('screenshot_type')
        .update({ screenshot_type: null })
        .returning('id');
      for (const chunk of chunksOf(closed, CHUNK)) {
        await trx('screenshots')
          .whereIn(
            'feedback_id',
            chunk.map(({ id }) => id),
          )
          .delete();
      }
    });
  }
}

/** Adds up the sizes of all screenshots; the databases know them without reading the images. */
async function sizeOf(knex: Knex): Promise<number> {
  const [row]: { total: number | string | null }[] = await knex(
    'screenshots',
  ).select(knex.raw('SUM(octet_length(bytes)) AS total'));
  return Number(row.total ?? 0);
}
