import type { Transaction } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type {
  BuildOutcome,
  BuildProgress,
  Claim,
  HeldBuild,
} from '../builds/Build.ts';
import type { BuildRow } from './buildRows.ts';

/** The loss of the process of a build. */
export interface Loss {
  /** Milliseconds since the Unix epoch; omitted if the process is known to be gone. */
  leaseEndedBefore?: number;
  /**
   * Writes the loss into the log, before it is stored: what the database says, the log says
   * too, even if this process is killed. May be repeated.
   */
  note?(): Promise<void>;
}

/** A change of one build, which knex makes once it is awaited or told what to return. */
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

/** Checks whether a claim is valid, which stays so until the end of the transaction. */
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

/** Queues a build again whose process is gone. */
export function requeueLost(
  trx: Transaction,
  claim: Claim,
  end: Loss & { countsAsLost?: boolean; keepsSteps?: boolean },
): BuildUpdate {
  return lost(trx, claim, end).update({
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
