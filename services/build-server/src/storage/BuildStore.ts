import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type {
  Build,
  BuildOutcome,
  BuildProgress,
  Claim,
  HeldBuild,
  NewBuild,
} from '../builds/Build.ts';
import { BuildReader, type BuildRow, toBuild } from './BuildReader.ts';
import {
  claimBuilds,
  type ClaimOptions,
  enqueueBuild,
  shortened,
} from './queue.ts';

/** A listener for what becomes of builds. */
export interface EndListener {
  /** Called in the transaction that queues a build, which may be run again. */
  onQueued?(trx: Knex.Transaction, build: Build): Promise<void>;
  /** Called in the transaction that writes the end down, which may be run again. */
  onFinished?(trx: Knex.Transaction, build: Build): Promise<void>;
  /** Called once the end is written down. */
  afterFinished?(build: Build): void;
}

/** Writes builds into the service's own database: on disk when a method returns. */
export class BuildStore extends BuildReader {
  readonly #database: Database;
  readonly #listener: EndListener;

  constructor(options: { database: Database } & EndListener) {
    super(options);
    this.#database = options.database;
    this.#listener = options;
  }

  /**
   * Makes jobs known, so that numbers can be reserved for them, and says that they were
   * there at a time.
   */
  async registerJobs(
    names: readonly string[],
    seenAt = Date.now(),
  ): Promise<void> {
    if (names.length > 0) {
      await this.#database.transaction(trx =>
        trx('jobs')
          .insert(
            names.map(name => ({ name, last_number: 0, seen_at: seenAt })),
          )
          .onConflict('name')
          .merge(['seen_at']),
      );
    }
  }

  /**
   * Notes that the schedule of a job was looked at.
   *
   * @returns when it was before; undefined where it never was. Times are milliseconds since the Unix epoch.
   */
  async noteSchedule(job: string, now: number): Promise<number | undefined> {
    return this.#database.transaction(async trx => {
      const row = await trx('jobs').where({ name: job }).first('scheduled_at');
      await trx('jobs').where({ name: job }).update({ scheduled_at: now });
      const before = row?.scheduled_at ?? null;
      return before === null ? undefined : Number(before);
    });
  }

  /**
   * Ends queued builds of jobs that no server has known for a while: nobody would start them.
   *
   * @param options.unseenSince - milliseconds since the Unix epoch.
   * @returns how many.
   */
  async endOrphans(options: {
    unseenSince: number;
    now: number;
  }): Promise<number> {
    const orphans: { id: number }[] = await this.#database
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
    for (const { id } of orphans) {
      await this.#end(trx =>
        trx<BuildRow, number>('builds').where({ id, state: 'queued' }).update({
          state: 'finished',
          result: 'ABORTED',
          reason: 'Its job was removed',
          finished_at: options.now,
        }),
      );
    }
    return orphans.length;
  }

  /** Tells which of some builds have ended or are not kept any more. */
  async listOver(ids: readonly number[]): Promise<number[]> {
    const rows: { id: number }[] = await this.#database
      .knex('builds')
      .whereIn('id', [...ids])
      .whereNot({ state: 'finished' })
      .select('id');
    const live = new Set(rows.map(({ id }) => id));
    return ids.filter(id => !live.has(id));
  }

  /** Reserves the number and queues the build, in one. */
  async enqueue(build: NewBuild): Promise<{ build: Build; isNew: boolean }> {
    return this.#database.transaction(async trx => {
      const { row, isNew } = await enqueueBuild(trx, build);
      const queued = toBuild(row);
      if (isNew) {
        await this.#listener.onQueued?.(trx, queued);
      }
      return { build: queued, isNew };
    });
  }

  /** Starts queued builds that are due: each goes to one process alone. */
  async claim(options: ClaimOptions): Promise<Build[]> {
    const rows = await this.#database.transaction(trx =>
      claimBuilds(trx, {
        ...options,
        locks: this.#database.client === 'postgres',
      }),
    );
    return rows.map(toBuild);
  }

  /** Renews what a process holds. @returns it; what is missing was taken away. */
  async renew(options: {
    worker: string;
    leaseUntil: number;
  }): Promise<HeldBuild[]> {
    const rows = await this.#database.transaction(trx =>
      trx<BuildRow>('builds')
        .where({ worker: options.worker, state: 'running' })
        .update({ lease_until: options.leaseUntil })
        .returning(['id', 'attempt', 'stop_requested_by']),
    );
    return rows.map(row => ({
      id: row.id,
      attempt: row.attempt,
      stopRequestedBy: row.stop_requested_by,
    }));
  }

  /** @returns false when the build is no longer the claim's. */
  async saveProgress(claim: Claim, progress: BuildProgress): Promise<boolean> {
    const changed = await this.#database.transaction(trx =>
      held(trx, claim).update(columnsOf(progress)),
    );
    return changed > 0;
  }

  /** @returns false when the build is no longer the claim's. */
  async finish(claim: Claim, outcome: BuildOutcome): Promise<boolean> {
    return this.#end(trx =>
      held(trx, claim).update({
        ...columnsOf(outcome),
        state: 'finished',
        result: outcome.result,
        reason: outcome.reason,
        tests: outcome.tests && JSON.stringify(outcome.tests),
        artifacts: outcome.artifacts && JSON.stringify(outcome.artifacts),
        finished_at: outcome.finishedAt,
      }),
    );
  }

  /** Lists running builds, whose process may be gone. */
  async listRunning(): Promise<(Claim & { leaseUntil: number })[]> {
    const rows: BuildRow[] = await this.#database
      .knex<BuildRow>('builds')
      .where({ state: 'running' })
      .select('id', 'worker', 'attempt', 'lease_until');
    return rows.map(row => ({
      id: row.id,
      worker: row.worker ?? '',
      attempt: row.attempt,
      leaseUntil: Number(row.lease_until),
    }));
  }

  /** Ends a build whose process is gone, unless that one came back. */
  async abandon(
    claim: Claim,
    end: { now: number; reason: string; leaseEndedBefore?: number },
  ): Promise<boolean> {
    return this.#end(trx => {
      const row = held(trx, claim);
      if (end.leaseEndedBefore !== undefined) {
        row.where('lease_until', '<', end.leaseEndedBefore);
      }
      return row.update({
        state: 'finished',
        result: 'ABORTED',
        reason: end.reason,
        finished_at: end.now,
      });
    });
  }

  /** Cancels what is queued, and asks for the end of what runs. @returns the build as it is now. */
  async requestStop(
    id: number,
    { by, now }: { by: string; now: number },
  ): Promise<Build | undefined> {
    return this.#database.transaction(async trx => {
      // Started between the two it is running, and the second one finds it.
      const [cancelled] = await trx<BuildRow>('builds')
        .where({ id, state: 'queued' })
        .update({
          state: 'finished',
          result: 'ABORTED',
          reason: `Cancelled by ${by}`,
          finished_at: now,
          stop_requested_by: shortened(by),
        })
        .returning('*');
      if (cancelled) {
        await this.#listener.onFinished?.(trx, toBuild(cancelled));
      }
      await trx('builds')
        .where({ id, state: 'running' })
        .whereNull('stop_requested_by')
        .update({ stop_requested_by: shortened(by) });
      const row = await trx<BuildRow>('builds').where({ id }).first();
      return row && toBuild(row);
    });
  }

  /** Writes an end down once, and tells of it. */
  async #end(
    update: (trx: Knex.Transaction) => Knex.QueryBuilder<BuildRow, number>,
  ): Promise<boolean> {
    const build = await this.#database.transaction(async trx => {
      const [row] = (await update(trx).returning('*')) as unknown as BuildRow[];
      const ended = row && toBuild(row);
      if (ended) {
        await this.#listener.onFinished?.(trx, ended);
      }
      return ended;
    });
    if (!build) {
      return false;
    }
    this.#listener.afterFinished?.(build);
    return true;
  }
}

/** The build while it is the claim's: whoever lost it changes nothing any more. */
function held(
  trx: Knex.Transaction,
  { id, worker, attempt }: Claim,
): Knex.QueryBuilder<BuildRow, number> {
  return trx<BuildRow, number>('builds').where({
    id,
    worker,
    attempt,
    state: 'running',
  });
}

function columnsOf({ steps, source }: BuildProgress): Partial<BuildRow> {
  return {
    steps: JSON.stringify(steps),
    ...(source !== undefined && {
      source: source && JSON.stringify(source),
    }),
  };
}
