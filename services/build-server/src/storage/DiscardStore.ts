import type { Database } from '@slipway/service-kit';
import type { BuildResult } from '../builds/Build.ts';
import type { BuildRow } from './BuildReader.ts';

const AT_A_TIME = 200;

/** Finds and removes builds of the service's own database that have ended. */
export class DiscardStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Lists ended builds of a job that are behind a bound, oldest first, some at a time. The last
   * one that succeeded and the last one without a failed test are not among them, as
   * people ask for these, unless `keepsLast` is false.
   *
   * @param bounds.endedBefore - milliseconds since the Unix epoch.
   * @returns their ids.
   */
  async listDiscardable(
    job: string,
    bounds: { keepBuilds?: number; endedBefore?: number; keepsLast: boolean },
  ): Promise<number[]> {
    const { keepBuilds, endedBefore, keepsLast } = bounds;
    const behind =
      keepBuilds === undefined
        ? undefined
        : await this.#newest(job, { skip: keepBuilds });
    if (behind === undefined && endedBefore === undefined) {
      return [];
    }
    const asked = (
      keepsLast
        ? [
            await this.#newest(job, { results: ['SUCCESS'] }),
            await this.#newest(job, { results: ['SUCCESS', 'UNSTABLE'] }),
          ]
        : []
    ).filter(number => number !== undefined);
    const rows: { id: number }[] = await this.#database
      .knex<BuildRow>('builds')
      .where({ job, state: 'finished' })
      .whereNotIn('number', asked)
      .where(bound => {
        if (behind !== undefined) {
          bound.orWhere('number', '<=', behind);
        }
        if (endedBefore !== undefined) {
          bound.orWhere('finished_at', '<', endedBefore);
        }
      })
      .orderBy('number')
      .limit(AT_A_TIME)
      .select('id');
    return rows.map(({ id }) => id);
  }

  /** Lists the jobs that have builds, those without a file among them. */
  async listJobs(): Promise<string[]> {
    const rows: { job: string }[] = await this.#database
      .knex('builds')
      .distinct('job')
      .orderBy('job');
    return rows.map(({ job }) => job);
  }

  /** Removes builds that have ended. */
  async remove(ids: readonly number[]): Promise<void> {
    await this.#database.transaction(trx =>
      trx('builds')
        .whereIn('id', [...ids])
        .where({ state: 'finished' })
        .delete(),
    );
  }

  /** The number of the newest build that has started, or of one behind it. */
  async #newest(
    job: string,
    { skip = 0, results }: { skip?: number; results?: BuildResult[] },
  ): Promise<number | undefined> {
    const query = this.#database
      .knex<BuildRow>('builds')
      .where({ job })
      .whereNotNull('started_at')
      .orderBy('number', 'desc')
      .offset(skip)
      .limit(1)
      .select('number');
    if (results) {
      query.whereIn('result', results);
    }
    const [row] = await query;
    return row?.number;
  }
}
