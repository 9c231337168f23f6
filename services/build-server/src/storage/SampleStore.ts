import { chunksOf, type Database } from '@slipway/service-kit';
import type { BuildResult, BuildSource, BuildStep } from '../builds/Build.ts';
import type { SampleJob } from '../samples/sampleJob.ts';

const CHUNK = 40;

/** A past build. Times are milliseconds since the Unix epoch. */
export interface PastBuild {
  readonly job: string;
  readonly number: number;
  readonly result: BuildResult;
  readonly cause: string;
  readonly triggeredBy: string;
  readonly parameters: Record<string, string>;
  readonly source: BuildSource;
  readonly steps: readonly BuildStep[];
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** Stores sample jobs and their past builds in the service's own database. */
export class SampleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<SampleJob[]> {
    return this.#database.knex('sample_jobs').select().orderBy('name');
  }

  /** Adds jobs that do not exist yet. */
  async addJobs(jobs: readonly SampleJob[]): Promise<void> {
    await this.#database.transaction(async trx => {
      for (const chunk of chunksOf(jobs, CHUNK)) {
        await trx('sample_jobs')
          .insert(chunk.map(job => ({ ...job })))
          .onConflict('name')
          .ignore();
      }
    });
  }

  /**
   * Adds builds that do not exist yet, without notifying anyone. The numbers of later builds
   * continue after them.
   *
   * @returns the ids of the new ones, by job and number.
   */
  async addBuilds(
    builds: readonly PastBuild[],
  ): Promise<{ id: number; job: string; number: number }[]> {
    return this.#database.transaction(async trx => {
      const added: { id: number; job: string; number: number }[] = [];
      for (const chunk of chunksOf(builds, CHUNK)) {
        const rows = await trx('builds')
          .insert(chunk.map(toRow))
          .onConflict(['job', 'number'])
          .ignore()
          .returning(['id', 'job', 'number']);
        added.push(...rows);
      }
      for (const [job, last] of lastNumbers(builds)) {
        await trx('jobs')
          .where({ name: job })
          .where('last_number', '<', last)
          .update({ last_number: last });
      }
      return added;
    });
  }

  /** Lists the ids of the builds of sample jobs, in batches. */
  async someBuilds(limit: number): Promise<number[]> {
    return this.#database
      .knex('builds')
      .whereIn('job', this.#database.knex('sample_jobs').select('name'))
      .limit(limit)
      .pluck('id');
  }

  async removeBuilds(ids: readonly number[]): Promise<void> {
    await this.#database.transaction(trx =>
      trx('builds')
        .whereIn('id', [...ids])
        .delete(),
    );
  }

  /** Deletes all sample jobs, after their builds were removed. @returns the number of jobs. */
  async removeJobs(): Promise<number> {
    return this.#database.transaction(async trx => {
      await trx('jobs')
        .whereIn('name', trx('sample_jobs').select('name'))
        .delete();
      return trx('sample_jobs').delete();
    });
  }
}

function toRow(build: PastBuild) {
  return {
    job: build.job,
    number: build.number,
    delivery: null,
    state: 'finished',
    result: build.result,
    reason: null,
    cause: build.cause,
    trigger_kind: 'webhook',
    triggered_by: build.triggeredBy,
    parameters: JSON.stringify(build.parameters),
    source: JSON.stringify(build.source),
    steps: JSON.stringify(build.steps),
    tests: null,
    queued_at: build.startedAt,
    due_at: build.startedAt,
    started_at: build.startedAt,
    finished_at: build.finishedAt,
    attempt: 1,
    worker: null,
  };
}

function lastNumbers(builds: readonly PastBuild[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { job, number } of builds) {
    last.set(job, Math.max(number, last.get(job) ?? 0));
  }
  return last;
}
