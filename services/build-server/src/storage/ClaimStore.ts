import type { Database, Transaction } from '@slipway/service-kit';
import type { Knex } from 'knex';
import {
  type Build,
  type BuildOutcome,
  type BuildProgress,
  type Claim,
  type HeldBuild,
  type TestCase,
} from '../builds/Build.ts';
import { BuildReader, type BuildRow, toBuild } from './BuildReader.ts';
import { claimBuilds, type ClaimOptions, type Offer } from './claimBuilds.ts';

/** Listens to changes of builds. */
export interface BuildListener {
  /** Called in the transaction that queues a build; the transaction may be retried. */
  onQueued?(trx: Transaction, build: Build): Promise<void>;
  /** Called with the test cases of a build, in the transaction that ends it. */
  onTests?(
    trx: Transaction,
    build: Build,
    cases: readonly TestCase[],
  ): Promise<void>;
  /** Called in the transaction that ends a build; the transaction may be retried. */
  onFinished?(trx: Transaction, build: Build): Promise<void>;
  /**
   * Called before builds are queued: this process may start some in the same transaction, which
   * saves a commit.
   *
   * @param jobs - names of their jobs.
   */
  offer?(jobs: ReadonlySet<string>): Offer | undefined;
  /** Called once the end of a build is stored. */
  afterFinished?(build: Build): void;
}

/** How a build lost its process. */
interface Loss {
  /** Milliseconds since the Unix epoch; omitted if the process is known to be gone. */
  leaseEndedBefore?: number;
  /**
   * Writes the loss into the log, before it is stored: what the database says, the log says
   * too, even if this process is killed. May be repeated.
   */
  note?(): Promise<void>;
}

/**
 * Writes running builds, which belong to the process that has claimed them: the writes of a process
 * whose claim is no longer valid change nothing. A write is durable when its method returns.
 */
export class ClaimStore extends BuildReader {
  readonly #database: Database;
  readonly #listener: BuildListener;

  constructor(options: { database: Database } & BuildListener) {
    super(options);
    this.#database = options.database;
    this.#listener = options;
  }

  /** Starts queued builds that are due: each is claimed by exactly one process. */
  async claim(options: ClaimOptions): Promise<Build[]> {
    return this.#database.transaction(trx => this.claimIn(trx, options));
  }

  /** Like {@link claim}, in a transaction. */
  protected async claimIn(
    trx: Transaction,
    options: ClaimOptions,
  ): Promise<Build[]> {
    const locks = this.#database.client === 'postgres';
    return (await claimBuilds(trx, { ...options, locks })).map(toBuild);
  }

  /** Renews the leases of a process. @returns the builds it still owns; missing ones were taken away. */
  async renew(options: {
    worker: string;
    leaseUntil: number;
    /** Ids of the builds that it reports as running; others that it owns lose their lease. */
    only: readonly number[];
  }): Promise<HeldBuild[]> {
    const { worker, only } = options;
    const rows = await this.#database.transaction(trx =>
      trx<BuildRow>('builds')
        .where({ worker, state: 'running' })
        .whereIn('id', [...only])
        .update({ lease_until: options.leaseUntil })
        .returning(['id', 'attempt', 'stop_requested_by']),
    );
    return rows.map(row => ({
      id: row.id,
      attempt: row.attempt,
      stopRequestedBy: row.stop_requested_by,
    }));
  }

  /**
   * Records that the owner of a build has started it.
   *
   * @returns undefined if the claim is no longer valid, or the build was stopped before
   * it started.
   */
  async accept(
    claim: Claim,
    { now, leaseUntil }: { now: number; leaseUntil: number },
  ): Promise<Build | undefined> {
    const [row] = await this.#database.transaction(
      trx =>
        held(trx, claim)
          .whereNull('stop_requested_by')
          .update({ accepted_at: now, lease_until: leaseUntil })
          .returning('*') as unknown as Promise<BuildRow[]>,
    );
    return row && toBuild(row);
  }

  /**
   * Does work outside of the database during which the build cannot be taken from its
   * claim. The work may be repeated, and must be idempotent.
   *
   * @returns false if the claim is no longer valid.
   */
  async whileHeld(claim: Claim, work: () => Promise<void>): Promise<boolean> {
    return this.#database.transaction(async trx => {
      const rows = await held(trx, claim)
        .select('id')
        .modify(query => {
          if (this.#database.client === 'postgres') {
            query.forUpdate();
          }
        });
      if ((rows as unknown as object[]).length === 0) {
        return false;
      }
      await work();
      return true;
    });
  }

  /** Saves the progress of a build. @returns false if the claim is no longer valid. */
  async saveProgress(claim: Claim, progress: BuildProgress): Promise<boolean> {
    const changed = await this.#database.transaction(trx =>
      held(trx, claim).update(columnsOf(progress)),
    );
    return changed > 0;
  }

  /** Ends a build with its outcome. @returns false if the claim is no longer valid. */
  async finish(claim: Claim, outcome: BuildOutcome): Promise<boolean> {
    const { cases = [], ...tests } = outcome.tests ?? {};
    return this.end(
      trx =>
        held(trx, claim).update({
          ...columnsOf(outcome),
          state: 'finished',
          result: outcome.result,
          reason: outcome.reason,
          tests: outcome.tests && JSON.stringify(tests),
          artifacts: outcome.artifacts && JSON.stringify(outcome.artifacts),
          finished_at: outcome.finishedAt,
        }),
      async (trx, build) => {
        if (cases.length > 0) {
          await this.#listener.onTests?.(trx, build, cases);
        }
      },
    );
  }

  /** Ends a build whose process is gone, unless the process has come back. */
  async abandon(
    claim: Claim,
    end: Loss & { now: number; reason: string },
  ): Promise<boolean> {
    return this.end(
      trx =>
        lost(trx, claim, end).update({
          state: 'finished',
          result: 'ABORTED',
          reason: end.reason,
          finished_at: end.now,
        }),
      async () => end.note?.(),
    );
  }

  /**
   * Queues a build again whose process is gone, unless the process has come back: a new
   * attempt with the same number.
   *
   * @param end.keepsSteps - true if the new attempt resumes after the steps that have
   * ended; otherwise it starts over.
   */
  async requeue(
    claim: Claim,
    end: Loss & { countsAsLost?: boolean; keepsSteps?: boolean },
  ): Promise<boolean> {
    const build = await this.#database.transaction(async trx => {
      const [found] = (await lost(trx, claim, end)
        .update({
          state: 'queued',
          worker: null,
          lease_until: null,
          accepted_at: null,
          ...(!end.keepsSteps && { started_at: null, steps: '[]' }),
          ...(end.countsAsLost && {
            lost_attempts: trx.raw('lost_attempts + 1') as unknown as number,
          }),
        })
        .returning('*')) as unknown as BuildRow[];
      if (found) {
        await end.note?.();
        await this.#listener.onQueued?.(trx, toBuild(found));
      }
      return found;
    });
    return build !== undefined;
  }

  /** Stores the end of a build exactly once, and notifies the listener. */
  protected async end(
    update: (trx: Transaction) => Knex.QueryBuilder<BuildRow, number>,
    record?: (trx: Transaction, build: Build) => Promise<void>,
  ): Promise<boolean> {
    const build = await this.#database.transaction(async trx => {
      const [row] = (await update(trx).returning('*')) as unknown as BuildRow[];
      const ended = row && toBuild(row);
      if (ended) {
        await record?.(trx, ended);
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

/** Selects a build while a claim on it is valid: a process that has lost its claim cannot change it. */
function held(
  trx: Transaction,
  { id, worker, attempt }: Claim,
): Knex.QueryBuilder<BuildRow, number> {
  return trx<BuildRow, number>('builds').where({
    id,
    worker,
    attempt,
    state: 'running',
  });
}

/** Selects a build like {@link held}, if its process has not renewed the lease. */
function lost(
  trx: Transaction,
  claim: Claim,
  { leaseEndedBefore }: Loss,
): Knex.QueryBuilder<BuildRow, number> {
  const row = held(trx, claim);
  return leaseEndedBefore === undefined
    ? row
    : row.where('lease_until', '<', leaseEndedBefore);
}

function columnsOf({ steps, source }: BuildProgress): Partial<BuildRow> {
  return {
    steps: JSON.stringify(steps),
    ...(source !== undefined && {
      source: source && JSON.stringify(source),
    }),
  };
}
