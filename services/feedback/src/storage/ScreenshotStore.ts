import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { OPEN_STATUSES, STATUSES } from '../feedback/Feedback.ts';
import type { Screenshot } from '../screenshots/Screenshot.ts';

/** Maximum screenshots deleted in one transaction, to limit how long other writers wait for it. */
const DELETED_AT_ONCE = 100;

/** The statuses of feedback that nobody works on any more. */
const CLOSED_STATUSES = STATUSES.filter(
  status => !OPEN_STATUSES.includes(status),
);

/** The space that screenshots use, and the space that they may use, in bytes. */
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
   * Returns whether there is space for a screenshot. On PostgreSQL, concurrent submissions may exceed
   * the quota together.
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
    let deleted: number;
    do {
      deleted = await this.#database.transaction(trx =>
        deleteSome(trx, before),
      );
    } while (deleted === DELETED_AT_ONCE);
  }
}

/**
 * Deletes up to {@link DELETED_AT_ONCE} screenshots of feedback that was closed before a time.
 *
 * @returns how many were found, including any whose feedback was reopened before the deletion.
 */
async function deleteSome(
  trx: Knex.Transaction,
  before: number,
): Promise<number> {
  const closed = (query: Knex.QueryBuilder) =>
    query
      .whereIn('status', CLOSED_STATUSES)
      .where('updated_at', '<', before)
      .whereNotNull('screenshot_type');
  const found: string[] = await closed(trx('feedback'))
    .limit(DELETED_AT_ONCE)
    .pluck('id');
  // Check the conditions again, as feedback may have been reopened in the meantime.
  const rows: { id: string }[] = await closed(
    trx('feedback').whereIn('id', found),
  )
    .update({ screenshot_type: null })
    .returning('id');
  await trx('screenshots')
    .whereIn(
      'feedback_id',
      rows.map(({ id }) => id),
    )
    .delete();
  return found.length;
}

/** Adds up the sizes of all screenshots, without reading the images. */
async function sizeOf(knex: Knex): Promise<number> {
  const [row]: { total: number | string | null }[] = await knex(
    'screenshots',
  ).select(knex.raw('SUM(octet_length(bytes)) AS total'));
  return Number(row.total ?? 0);
}
