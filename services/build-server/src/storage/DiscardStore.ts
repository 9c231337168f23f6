import type { Database } from '@slipway/service-kit';
import type { BuildResult } from '../builds/Build.ts';
import type { BuildRow } from './BuildReader.ts';

const AT_A_TIME = 200;

/** Finds and removes finished builds of the service's own database. */
export class DiscardStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Lists finished builds of a job that are beyond a limit, oldest first, in batches. The
   * last build, the last successful one and the last one without a failed test are excluded, unless
   * `keepsLast` is false: people look for them, the last tells the state of the job, and polling
   * would build its commit again.
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
            await this.#newest(job, { isStarted: false }),
            await this.#newest(job),
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

  /** Lists the jobs that have builds, including jobs without a file. */
  async listJobs(): Promise<string[]> {
    const rows: { job: string }[] = await this.#database
      .knex('builds')
      .distinct('job')
      .orderBy('job');
    return rows.map(({ job }) => job);
  }

  /** Removes finished builds. */
  async remove(ids: readonly number[]): Promise<void> {
    await this.#database.transaction(async trx => {
      await trx('builds')
        .whereIn('id', [...ids])
        .where({ state: 'finished' })
        .delete();
      for (const table of ['test_results', 'build_gates']) {
        await trx(table)
          .whereIn('build_id', [...ids])
          .delete();
      }
    });
  }

  /** Returns the number of the newest started build, or of the n-th newest. */
  async #newest(
    job: string,
    options: {
      skip?: number;
      results?: BuildResult[];
      /** False to also count builds that were cancelled in the queue. */
      isStarted?: boolean;
    } = {},
  ): Promise<number | undefined> {
    const { skip = 0, results, isStarted = true } = options;
    const query = this.#database
      .knex<BuildRow>('builds')
      .where({ job })
      .orderBy('number', 'desc')
      .offset(skip)
      .limit(1)
      .select('number');
    if (isStarted) {
      query.whereNotNull('started_at');
    }
    if (results) {
      query.whereIn('result', results);
    }
    const [row] = await query;
    return row?.number;
  }
}
