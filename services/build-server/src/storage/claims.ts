import { chunksOf, type Transaction } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type {
  Build,
  BuildOutcome,
  BuildProgress,
  Claim,
  HeldBuild,
} from '../builds/Build.ts';
import type { BuildRow } from './buildRows.ts';

/** The builds that a process may start. Times are milliseconds since the Unix epoch. */
export interface ClaimOptions {
  worker: string;
  /** `serial`: builds of the job run one after another. */
  jobs: readonly { name: string; serial: boolean }[];
  limit: number;
  now: number;
  leaseUntil: number;
  /** True for a process that starts builds immediately, without a separate acceptance. */
  isAccepted?: boolean;
  /** Name of the agent. */
  builtOn?: string;
}

/** Capacity of a process for builds that are being queued. */
export interface Offer {
  claim: ClaimOptions;
  /**
   * Starts the claimed builds once the claim is stored. Must always be called, even with an empty
   * list.
   */
  take(builds: readonly Build[]): void;
}

/**
 * Starts due builds, oldest first. Each is claimed by one conditional update. The row of
 * a serial job is locked first, otherwise two processes could each start one of its
 * builds concurrently.
 */
export async function claimBuilds(
  trx: Transaction,
  options: ClaimOptions & { locks: boolean },
): Promise<BuildRow[]> {
  const serial = new Map(options.jobs.map(job => [job.name, job.serial]));
  const claimed: BuildRow[] = [];
  for (const job of await jobsWithDue(trx, options)) {
    const isSerial = serial.get(job)!;
    if (isSerial && options.locks) {
      await trx('jobs').where({ name: job }).forUpdate().select('name');
    }
    const left = options.limit - claimed.length;
    const due: { id: number; group: string | null }[] = await dueBuilds(
      trx,
      options,
    )
      .where({ job })
      .orderBy([{ column: 'due_at' }, { column: 'id' }])
      .limit(isSerial ? 1 : left)
      .select('id', 'concurrency_group as group');
    for (const { id, group } of due) {
      if (group !== null && options.locks) {
        await trx.raw('SELECT pg_advisory_xact_lock(hashtext(?))', [group]);
      }
      claimed.push(
        ...(await startBuild(trx, { id, job, group, isSerial }, options)),
      );
    }
    if (claimed.length >= options.limit) {
      break;
    }
  }
  return claimed;
}

/** Selects the builds that a process may start now. */
function dueBuilds(
  trx: Transaction,
  { now, builtOn }: ClaimOptions,
): Knex.QueryBuilder {
  const due = trx('builds')
    .where({ state: 'queued' })
    .where('due_at', '<=', now);
  // The files of builds that resume are on the servers, not on agents.
  return builtOn === undefined ? due : due.where({ steps: '[]' });
}

/** Names per statement, which accepts at most 32,766 values on SQLite. */
const NAMES = 30_000;

/** Lists the jobs with builds that are due, sorted by the age of their oldest one. */
async function jobsWithDue(
  trx: Transaction,
  options: ClaimOptions,
): Promise<string[]> {
  const found: { job: string; due: number | string; id: number }[] = [];
  const names = options.jobs.map(({ name }) => name);
  for (const part of chunksOf(names, NAMES)) {
    const rows: typeof found = await dueBuilds(trx, options)
      .whereIn('job', part)
      .groupBy('job')
      .select('job')
      .min({ due: 'due_at', id: 'id' });
    found.push(...rows);
  }
  return found
    .sort(
      (one, other) => Number(one.due) - Number(other.due) || one.id - other.id,
    )
    .map(({ job }) => job);
}

async function startBuild(
  trx: Transaction,
  build: { id: number; job: string; group: string | null; isSerial: boolean },
  claim: ClaimOptions,
): Promise<BuildRow[]> {
  const update = trx<BuildRow>('builds').where({
    id: build.id,
    state: 'queued',
  });
  const unlessRunning = (other: object) =>
    update.whereNotExists(
      trx('builds as other')
        .where({ ...other, 'other.state': 'running' })
        .select(trx.raw('1')),
    );
  if (build.isSerial) {
    unlessRunning({ 'other.job': build.job });
  }
  if (build.group !== null) {
    unlessRunning({ 'other.concurrency_group': build.group });
  }
  return update
    .update({
      state: 'running',
      worker: claim.worker,
      attempt: trx.raw('attempt + 1') as unknown as number,
      // A build that resumes has started before.
      started_at: trx.raw('COALESCE(started_at, ?)', [
        claim.now,
      ]) as unknown as number,
      lease_until: claim.leaseUntil,
      built_on: claim.builtOn ?? null,
      accepted_at: claim.isAccepted ? claim.now : null,
    })
    .returning('*');
}

/** The loss of the process of a build. */
export interface Loss {
  /** Milliseconds since the Unix epoch; omitted if the process is known to be gone. */
  leaseEndedBefore?: number;
  /**
   * Writes the loss into the log before it is stored, so that the log never lacks what the database
   * says, even if this process is killed. Idempotent.
   */
  note?(): Promise<void>;
}

/** A change of one build; knex runs it once it is awaited or a returning clause is added. */
export type BuildUpdate = Knex.QueryBuilder<BuildRow, number>;

/** Selects a build while a claim on it is valid: a process that has lost its claim cannot change it. */
function held(trx: Transaction, { id, worker, attempt }: Claim): BuildUpdate {
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
): BuildUpdate {
  const row = held(trx, claim);
  return leaseEndedBefore === undefined
    ? row
    : row.where('lease_until', '<', leaseEndedBefore);
}

/** Records that the owner of a build has started it, unless it was stopped before. */
export function acceptHeld(
  trx: Transaction,
  claim: Claim,
  { now, leaseUntil }: { now: number; leaseUntil: number },
): BuildUpdate {
  return held(trx, claim)
    .whereNull('stop_requested_by')
    .update({ accepted_at: now, lease_until: leaseUntil });
}

/** Renews the leases of a process. @returns the builds it still owns. */
export async function renewLeases(
  trx: Transaction,
  options: { worker: string; leaseUntil: number; only: readonly number[] },
): Promise<HeldBuild[]> {
  const { worker, leaseUntil, only } = options;
  const rows = await trx<BuildRow>('builds')
    .where({ worker, state: 'running' })
    .whereIn('id', [...only])
    .update({ lease_until: leaseUntil })
    .returning(['id', 'attempt', 'stop_requested_by']);
  return rows.map(row => ({
    id: row.id,
    attempt: row.attempt,
    stopRequestedBy: row.stop_requested_by,
  }));
}

/** Checks whether a claim is valid, and locks it until the end of the transaction. */
export async function lockHeld(
  trx: Transaction,
  claim: Claim,
  { locks }: { locks: boolean },
): Promise<boolean> {
  const rows = await held(trx, claim)
    .select('id')
    .modify(query => {
      if (locks) {
        query.forUpdate();
      }
    });
  return (rows as unknown as object[]).length > 0;
}

/** Saves the progress of a build that is held. */
export function saveHeld(
  trx: Transaction,
  claim: Claim,
  progress: BuildProgress,
): BuildUpdate {
  return held(trx, claim).update(columnsOf(progress));
}

/** Ends a build that is held, with its outcome. */
export function finishHeld(
  trx: Transaction,
  claim: Claim,
  outcome: BuildOutcome,
): BuildUpdate {
  const { cases: _ = [], ...tests } = outcome.tests ?? {};
  return held(trx, claim).update({
    ...columnsOf(outcome),
    state: 'finished',
    result: outcome.result,
    reason: outcome.reason,
    tests: outcome.tests && JSON.stringify(tests),
    artifacts: outcome.artifacts && JSON.stringify(outcome.artifacts),
    finished_at: outcome.finishedAt,
  });
}

/** Ends a build whose process is gone. */
export function abandonLost(
  trx: Transaction,
  claim: Claim,
  end: Loss & { now: number; reason: string },
): BuildUpdate {
  return lost(trx, claim, end).update({
    state: 'finished',
    result: 'ABORTED',
    reason: end.reason,
    finished_at: end.now,
  });
}

/** Requeues a build whose process is gone, unless a person has stopped it. */
export function requeueLost(
  trx: Transaction,
  claim: Claim,
  end: Loss & { countsAsLost?: boolean; keepsSteps?: boolean },
): BuildUpdate {
  return lost(trx, claim, end)
    .whereNull('stop_requested_by')
    .update({
      state: 'queued',
      worker: null,
      lease_until: null,
      accepted_at: null,
      ...(!end.keepsSteps && { started_at: null, steps: '[]' }),
      ...(end.countsAsLost && {
        lost_attempts: trx.raw('lost_attempts + 1') as unknown as number,
      }),
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
