import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import {
  type Build,
  type BuildResult,
  type Claim,
  onlyWaits,
  type RunningClaim,
} from '../builds/Build.ts';
import { type BuildRow, toBuild } from './buildRows.ts';

/** The condition by which a permalink of Jenkins selects a build. */
export interface BuildFilter {
  completed?: boolean;
  results?: readonly BuildResult[];
}

/** Reads builds from the service's own database. */
export class BuildReader {
  readonly #database: Database;

  constructor({ database }: { database: Database }) {
    this.#database = database;
  }

  async findById(id: number): Promise<Build | undefined> {
    const row = await this.#builds().where({ id }).first();
    return row && toBuild(row);
  }

  /** Reads builds by their ids, in one statement. */
  async findByIds(ids: readonly number[]): Promise<Map<number, Build>> {
    const rows: BuildRow[] =
      ids.length === 0 ? [] : await this.#builds().whereIn('id', [...ids]);
    return new Map(rows.map(row => [row.id, toBuild(row)]));
  }

  /** Reads a build, including a queued one. */
  async find(job: string, number: number): Promise<Build | undefined> {
    const row = await this.#builds().where({ job, number }).first();
    return row && toBuild(row);
  }

  /** Reads the build of the trigger with an id. */
  async findByDelivery(
    job: string,
    delivery: string,
  ): Promise<Build | undefined> {
    const row = await this.#builds().where({ job, delivery }).first();
    return row && toBuild(row);
  }

  /** Reads the newest started build that matches a filter. */
  async findNewest(
    job: string,
    { completed, results }: BuildFilter = {},
  ): Promise<Build | undefined> {
    const query = this.#started(job).limit(1);
    if (completed) {
      query.where({ state: 'finished' });
    }
    if (results) {
      query.whereIn('result', [...results]);
    }
    const [row] = await query;
    return row && toBuild(row);
  }

  /**
   * Reads the newest build of a commit among the last hundred of a job, including queued ones.
   *
   * @param sha - the id of the commit, or its first digits.
   */
  async findNewestOf(job: string, sha: string): Promise<Build | undefined> {
    // Polling does this for every branch: steps and tests are read only for the build that is
    // found.
    const rows: Pick<BuildRow, 'id' | 'source'>[] = await this.#builds()
      .where({ job })
      .orderBy('number', 'desc')
      .limit(100)
      .select('id', 'source');
    const found = rows.find(({ source }) => {
      const { after } = JSON.parse(source ?? '{}') as { after?: string };
      return after?.startsWith(sha);
    });
    return found && this.findById(found.id);
  }

  /** Reads the oldest started build still stored. */
  async findOldest(job: string): Promise<Build | undefined> {
    const row = await this.#builds()
      .where({ job })
      .whereNotNull('started_at')
      .orderBy('number')
      .first();
    return row && toBuild(row);
  }

  /** Lists started builds, newest first. */
  async list(job: string, limit: number): Promise<Build[]> {
    return (await this.#started(job).limit(limit)).map(toBuild);
  }

  /** Lists the builds that people keep, newest first, including those that have not started. */
  async listKept(job: string, limit: number): Promise<Build[]> {
    const rows: BuildRow[] = await this.#builds()
      .where({ job })
      .whereNotNull('kept_at')
      .orderBy('number', 'desc')
      .limit(limit);
    return rows.map(toBuild);
  }

  /** Counts the builds of a job that people keep. */
  async countKept(job: string): Promise<number> {
    const row = await this.#database
      .knex('builds')
      .where({ job })
      .whereNotNull('kept_at')
      .count({ builds: '*' })
      .first();
    return Number(row?.builds ?? 0);
  }

  /** Lists the ids of unfinished builds of a job older than a given one. */
  async listUnfinishedBefore(job: string, number: number): Promise<number[]> {
    const rows: { id: number }[] = await this.#builds()
      .where({ job })
      .where('number', '<', number)
      .whereIn('state', ['queued', 'running'])
      .orderBy('number')
      .select('id');
    return rows.map(({ id }) => id);
  }

  /** Lists queued builds, by due time. */
  async listQueue(job?: string): Promise<Build[]> {
    const rows: BuildRow[] = await this.#builds()
      .where({ state: 'queued', ...(job !== undefined && { job }) })
      .orderBy([{ column: 'due_at' }, { column: 'id' }])
      .limit(1_000);
    return rows.map(toBuild);
  }

  /**
   * Lists queued builds of jobs that no server has seen for a while.
   *
   * @param options.unseenSince - milliseconds since the Unix epoch.
   * @returns their ids, up to a thousand.
   */
  async listOrphans(options: { unseenSince: number }): Promise<number[]> {
    const rows: { id: number }[] = await this.#database
      .knex('builds')
      .join('jobs', 'jobs.name', 'builds.job')
      .where('builds.state', 'queued')
      .where(job =>
        job
          .whereNull('jobs.seen_at')
          .orWhere('jobs.seen_at', '<', options.unseenSince),
      )
      .limit(1_000)
      .select('builds.id');
    return rows.map(({ id }) => id);
  }

  /** Lists running builds. */
  async listRunningBuilds(): Promise<Build[]> {
    const rows = await this.#builds().where({ state: 'running' }).orderBy('id');
    return rows.map(toBuild);
  }

  /** Reads the running build of a concurrency group. */
  async findRunningIn(group: string): Promise<Build | undefined> {
    const row = await this.#builds()
      .where({ state: 'running', concurrency_group: group })
      .first();
    return row && toBuild(row);
  }

  /** Reads the number that the next build of a job will get. */
  async nextNumber(job: string): Promise<number> {
    const row = await this.#database.knex('jobs').where({ name: job }).first();
    return (row?.last_number ?? 0) + 1;
  }

  /** Counts queued and running builds. */
  async count(): Promise<{ queued: number; running: number }> {
    const rows: { state: string; builds: number | string }[] =
      await this.#database
        .knex('builds')
        .whereIn('state', ['queued', 'running'])
        .groupBy('state')
        .select('state')
        .count({ builds: '*' });
    const of = (state: string) =>
      Number(rows.find(row => row.state === state)?.builds ?? 0);
    return { queued: of('queued'), running: of('running') };
  }

  async isHeld({ id, worker, attempt }: Claim): Promise<boolean> {
    const row = await this.#builds()
      .where({ id, worker, attempt, state: 'running' })
      .first('id');
    return row !== undefined;
  }

  /** Lists running builds whose process may be gone. */
  async listRunning(): Promise<
    (RunningClaim & { job: string; leaseUntil: number })[]
  > {
    const rows: BuildRow[] = await this.#builds()
      .where({ state: 'running' })
      .select(
        ...['id', 'job', 'worker', 'attempt', 'lease_until'],
        ...['accepted_at', 'lost_attempts', 'stop_requested_by', 'steps'],
      );
    return rows.map(row => ({
      id: row.id,
      job: row.job,
      isAccepted: row.accepted_at !== null,
      lostAttempts: row.lost_attempts,
      stopRequestedBy: row.stop_requested_by,
      isWaiting: onlyWaits(JSON.parse(row.steps)),
      worker: row.worker ?? '',
      attempt: row.attempt,
      leaseUntil: Number(row.lease_until),
    }));
  }

  /** Returns which of the given builds have ended or no longer exist. */
  async listOver(ids: readonly number[]): Promise<number[]> {
    const rows: { id: number }[] = await this.#builds()
      .whereIn('id', [...ids])
      .whereNot({ state: 'finished' })
      .select('id');
    const live = new Set(rows.map(({ id }) => id));
    return ids.filter(id => !live.has(id));
  }

  #builds(): Knex.QueryBuilder<BuildRow, BuildRow[]> {
    return this.#database.knex<BuildRow, BuildRow[]>('builds');
  }

  #started(job: string) {
    return this.#builds()
      .where({ job })
      .whereNotNull('started_at')
      .orderBy('number', 'desc');
  }
}
