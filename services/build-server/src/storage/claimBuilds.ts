import { chunksOf, type Transaction } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Build } from '../builds/Build.ts';
import type { BuildRow } from './buildRows.ts';

/** The builds that a process may start. Times are milliseconds since the Unix epoch. */
export interface ClaimOptions {
  worker: string;
  /** `serial`: builds of the job run one after another. */
  jobs: readonly { name: string; serial: boolean }[];
  limit: number;
  now: number;
  leaseUntil: number;
  /** True for a process that starts builds at once, without a separate acceptance. */
  isAccepted?: boolean;
  /** Name of the agent. */
  builtOn?: string;
}

/** Capacity of a process for builds that are being queued. */
export interface Offer {
  claim: ClaimOptions;
  /** Starts the claimed builds once the claim is stored. Always call it, if need be with none. */
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

/** Lists the jobs with builds that are due, the one with the oldest first. */
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
  if (build.isSerial) {
    update.whereNotExists(
      trx('builds as other')
        .where({ 'other.job': build.job, 'other.state': 'running' })
        .select(trx.raw('1')),
    );
  }
  if (build.group !== null) {
    update.whereNotExists(
      trx('builds as grouped')
        .where({
          'grouped.concurrency_group': build.group,
          'grouped.state': 'running',
        })
        .select(trx.raw('1')),
    );
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
