import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import {
  type Build,
  type BuildResult,
  type Claim,
  onlyWaits,
  type RunningClaim,
} from '../builds/Build.ts';

/** A row of `builds`; PostgreSQL returns a bigint as text. */
export interface BuildRow {
  id: number;
  job: string;
  number: number;
  delivery: string | null;
  state: string;
  result: string | null;
  reason: string | null;
  cause: string;
  trigger_kind: string | null;
  triggered_by: string | null;
  parameters: string;
  source: string | null;
  steps: string;
  tests: string | null;
  queued_at: number | string;
  due_at: number | string;
  started_at: number | string | null;
  finished_at: number | string | null;
  attempt: number;
  worker: string | null;
  lease_until: number | string | null;
  stop_requested_by: string | null;
  concurrency_group: string | null;
  artifacts: string | null;
  accepted_at: number | string | null;
  lost_attempts: number;
  built_on: string | null;
  rerun: string | null;
  upstream: string | null;
  kept_at: number | string | null;
  kept_by: string | null;
  kept_reason: string | null;
  discarding_at: number | string | null;
  about: string | null;
}

/**
 * Converts a row to a build, parsing its JSON columns. The delivery and the end of the
 * lease are omitted: they are internal to the store.
 */
export function toBuild(row: BuildRow): Build {
  return {
    id: row.id,
    job: row.job,
    number: row.number,
    state: row.state as Build['state'],
    result: row.result as Build['result'],
    reason: row.reason,
    cause: row.cause,
    kind: (row.trigger_kind ?? 'user') as Build['kind'],
    triggeredBy: row.triggered_by,
    parameters: JSON.parse(row.parameters),
    source: row.source === null ? null : JSON.parse(row.source),
    rerun: row.rerun === null ? null : JSON.parse(row.rerun),
    upstream: row.upstream === null ? null : JSON.parse(row.upstream),
    steps: JSON.parse(row.steps),
    tests: row.tests === null ? null : JSON.parse(row.tests),
    artifacts: row.artifacts === null ? [] : JSON.parse(row.artifacts),
    queuedAt: Number(row.queued_at),
    dueAt: Number(row.due_at),
    startedAt: numberOf(row.started_at),
    finishedAt: numberOf(row.finished_at),
    attempt: row.attempt,
    worker: row.worker,
    builtOn: row.built_on,
    stopRequestedBy: row.stop_requested_by,
    kept: keptOf(row),
    about: row.about === null ? null : JSON.parse(row.about),
  };
}

function keptOf({ kept_at: at, kept_by: by, kept_reason: reason }: BuildRow) {
  return at === null ? null : { by: by ?? '', at: Number(at), reason };
}

function numberOf(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}

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
    // Polls ask for every branch: steps and tests are read only for the one that is found.
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

  /** Lists started builds that people keep, newest first. */
  async listKept(job: string, limit: number): Promise<Build[]> {
    const query = this.#started(job).whereNotNull('kept_at').limit(limit);
    return (await query).map(toBuild);
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

/**
 * Returns a name, shortened to the size of its column: PostgreSQL rejects longer values, and
 * payloads contain names of any length.
 */
export function storableName(name: string): string {
  return Array.from(name.slice(0, 512)).slice(0, 256).join('');
}
