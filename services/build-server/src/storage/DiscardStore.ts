import type { Database, Transaction } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { BuildResult, Kept } from '../builds/Build.ts';
import { type BuildRow, storableName } from './buildRows.ts';

const AT_A_TIME = 200;
/** Tests per statement; each takes two of the at most 32,766 values that SQLite allows. */
const TESTS_AT_A_TIME = 5_000;

/** Thrown if people already keep as many builds of a job as they may. */
export class KeptLimitError extends Error {
  override readonly name = 'KeptLimitError';
  /** The number of the oldest build that is kept. */
  readonly oldest: number;

  constructor({ oldest }: { oldest: number }) {
    super('No more builds of the job can be kept');
    this.oldest = oldest;
  }
}

/** Finds and removes finished builds of the service's own database. */
export class DiscardStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Lists finished builds of a job that are beyond a limit, oldest first, in batches. Builds that
   * people keep are excluded, and do not count towards `keepBuilds`. Also excluded are the last
   * build, the last successful one and the last one without a failed test: people look for them,
   * they show the state of the job, and polling would build their commits again. Builds whose
   * deletion was begun but not completed come first, whatever the limits.
   *
   * @param bounds.endedBefore - milliseconds since the Unix epoch.
   * @param bounds.isRemoved - true if the job was removed: its last builds are not excluded then,
   * and builds that people keep only if a server has seen the job since `endedBefore`.
   * @returns their ids.
   */
  async listDiscardable(
    job: string,
    bounds: { keepBuilds?: number; endedBefore?: number; isRemoved: boolean },
  ): Promise<number[]> {
    const begun = await this.#listBegun(job);
    if (begun.length > 0) {
      return begun;
    }
    const { keepBuilds, endedBefore, isRemoved } = bounds;
    const behind =
      keepBuilds === undefined
        ? undefined
        : await this.#newest(job, { skip: keepBuilds, isKept: false });
    if (behind === undefined && endedBefore === undefined) {
      return [];
    }
    const asked = (
      isRemoved
        ? []
        : [
            await this.#newest(job, { isStarted: false }),
            await this.#newest(job),
            await this.#newest(job, { results: ['SUCCESS'] }),
            await this.#newest(job, { results: ['SUCCESS', 'UNSTABLE'] }),
          ]
    ).filter(number => number !== undefined);
    const isForgotten = await this.isForgotten(job, bounds);
    const rows: { id: number }[] = await this.#database
      .knex<BuildRow>('builds')
      .where({ job, state: 'finished', ...(!isForgotten && { kept_at: null }) })
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

  /** Lists the names of the jobs that have builds, including jobs without a file. */
  async listJobs(): Promise<string[]> {
    const rows: { job: string }[] = await this.#database
      .knex('builds')
      .distinct('job')
      .orderBy('job');
    return rows.map(({ job }) => job);
  }

  /** Checks whether a job was removed, and no server has seen it since a given time. */
  async isForgotten(
    job: string,
    bounds: { isRemoved: boolean; endedBefore?: number },
  ): Promise<boolean> {
    const { isRemoved, endedBefore } = bounds;
    if (!isRemoved || endedBefore === undefined) {
      return false;
    }
    const row = await this.#database
      .knex('jobs')
      .where({ name: job })
      .first('seen_at');
    return Number(row?.seen_at ?? 0) < endedBefore;
  }

  /**
   * Keeps a build, or stops keeping it.
   *
   * @param kept - null to stop.
   * @param most - the number of builds of its job that people may keep at a time.
   * @returns false if it does not exist, or its deletion has begun.
   * @throws KeptLimitError if the limit is reached, unless the build is already kept.
   */
  async keep(
    id: number,
    kept: Kept | null,
    most = Number.POSITIVE_INFINITY,
  ): Promise<boolean> {
    const changed = await this.#database.transaction(async trx => {
      if (kept) {
        await this.#assertRoom(trx, id, most);
      }
      return trx<BuildRow>('builds')
        .where({ id, discarding_at: null })
        .update({
          kept_at: kept?.at ?? null,
          kept_by: kept && storableName(kept.by),
          kept_reason: kept?.reason ?? null,
        });
    });
    return changed > 0;
  }

  /** @throws KeptLimitError if the limit is reached, so that another build must be released first. */
  async #assertRoom(trx: Transaction, id: number, most: number): Promise<void> {
    const build = await trx<BuildRow>('builds').where({ id }).first('job');
    if (!build) {
      return;
    }
    if (this.#database.client === 'postgres') {
      // Otherwise two concurrent requests could both take the last free place.
      await trx('jobs').where({ name: build.job }).forUpdate().select('name');
    }
    const kept: { id: number; number: number }[] = await trx<BuildRow>('builds')
      .where({ job: build.job })
      .whereNotNull('kept_at')
      .orderBy('number')
      .select('id', 'number');
    if (kept.length >= most && !kept.some(one => one.id === id)) {
      throw new KeptLimitError({ oldest: kept[0].number });
    }
  }

  /**
   * Begins the deletion of finished builds: nobody can keep them from now on, so that their files
   * can be removed. Builds that someone has kept in the meantime are skipped.
   *
   * @param options.now - milliseconds since the Unix epoch.
   * @param options.evenKept - true to also delete builds that people keep.
   * @returns the ids of the builds to delete.
   */
  async begin(
    ids: readonly number[],
    { now, evenKept = false }: { now: number; evenKept?: boolean },
  ): Promise<number[]> {
    const rows = await this.#database.transaction(trx =>
      trx<BuildRow>('builds')
        .whereIn('id', [...ids])
        .where({ state: 'finished', ...(!evenKept && { kept_at: null }) })
        .update({ discarding_at: now })
        .returning('id'),
    );
    return rows.map(({ id }) => id);
  }

  /** Removes finished builds, after {@link begin} and after their files. */
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

  /** Removes the names of tests without results in any remaining build, in batches. */
  async removeUnusedTests(): Promise<void> {
    const unused = (knex: Knex) =>
      knex('test_cases').whereNotExists(
        knex('test_results as result')
          .whereRaw(
            'result.job = test_cases.job AND result.test = test_cases.test',
          )
          .select(knex.raw('1')),
      );
    for (;;) {
      // Without a lock, because reading the names of all tests takes long.
      const found: { job: string; test: string }[] = await unused(
        this.#database.knex,
      )
        .limit(TESTS_AT_A_TIME)
        .select('job', 'test');
      if (found.length === 0) {
        return;
      }
      await this.#database.transaction(async trx => {
        if (this.#database.client === 'postgres') {
          // A build that is just ending may have results for one of them.
          await trx.raw('LOCK TABLE test_cases IN SHARE ROW EXCLUSIVE MODE');
        }
        await unused(trx)
          .whereIn(
            ['job', 'test'],
            found.map(({ job, test }) => [job, test]),
          )
          .delete();
      });
    }
  }

  /** Returns the number of the newest started build, or of the n-th newest. */
  async #newest(
    job: string,
    options: {
      skip?: number;
      results?: BuildResult[];
      /** False to also count builds that were cancelled in the queue. */
      isStarted?: boolean;
      /** False to exclude builds that people keep. */
      isKept?: false;
    } = {},
  ): Promise<number | undefined> {
    const { skip = 0, results, isStarted = true, isKept } = options;
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
    if (isKept === false) {
      query.whereNull('kept_at');
    }
    const [row] = await query;
    return row?.number;
  }

  /** Lists builds whose deletion was begun by another process, or before this one started. */
  async #listBegun(job: string): Promise<number[]> {
    const rows: { id: number }[] = await this.#database
      .knex<BuildRow>('builds')
      .where({ job })
      .whereNotNull('discarding_at')
      .orderBy('number')
      .limit(AT_A_TIME)
      .select('id');
    return rows.map(({ id }) => id);
  }
}
