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
import { claimBuilds, type ClaimOptions, enqueueBuild } from './queue.ts';

/** A listener for the ends of builds. */
export interface EndListener {
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

  /** Makes jobs known, so that numbers can be reserved for them. */
  async registerJobs(names: readonly string[]): Promise<void> {
    if (names.length > 0) {
      await this.#database.transaction(trx =>
        trx('jobs')
          .insert(names.map(name => ({ name, last_number: 0 })))
          .onConflict('name')
          .ignore(),
      );
    }
  }

  /** Reserves the number and queues the build, in one. */
  async enqueue(build: NewBuild): Promise<{ build: Build; isNew: boolean }> {
    const { row, isNew } = await this.#database.transaction(trx =>
      enqueueBuild(trx, build),
    );
    return { build: toBuild(row), isNew };
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
      await trx('builds')
        .where({ id, state: 'queued' })
        .update({
          state: 'finished',
          result: 'ABORTED',
          reason: `Cancelled by ${by}`,
          finished_at: now,
          stop_requested_by: by,
        });
      await trx('builds')
        .where({ id, state: 'running' })
        .whereNull('stop_requested_by')
        .update({ stop_requested_by: by });
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
