import type { Knex } from 'knex';
import type { Build } from '../builds/Build.ts';
import { type BuildRow } from './BuildReader.ts';

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
  /** Starts the claimed builds, once that is stored. To be called in any case, with none at worst. */
  take(builds: readonly Build[]): void;
}

/**
 * Starts due builds, oldest first. Each is claimed by one conditional update. The row of
 * a serial job is locked first, otherwise two processes could each start one of its
 * builds concurrently.
 */
export async function claimBuilds(
  trx: Knex.Transaction,
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
        ...(await start(trx, { id, job, group, isSerial, ...options })),
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
  trx: Knex.Transaction,
  { now, builtOn }: ClaimOptions,
): Knex.QueryBuilder {
  const due = trx('builds')
    .where({ state: 'queued' })
    .where('due_at', '<=', now);
  // The files of builds that resume are on the servers, not on agents.
  return builtOn === undefined ? due : due.where({ steps: '[]' });
}

async function jobsWithDue(
  trx: Knex.Transaction,
  options: ClaimOptions,
): Promise<string[]> {
  const rows: { job: string }[] = await dueBuilds(trx, options)
    .whereIn(
      'job',
      options.jobs.map(({ name }) => name),
    )
    .groupBy('job')
    .orderByRaw('min(due_at), min(id)')
    .select('job');
  return rows.map(({ job }) => job);
}

async function start(
  trx: Knex.Transaction,
  build: {
    id: number;
    job: string;
    group: string | null;
    isSerial: boolean;
    worker: string;
    now: number;
    leaseUntil: number;
    isAccepted?: boolean;
    builtOn?: string;
  },
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
      worker: build.worker,
      attempt: trx.raw('attempt + 1') as unknown as number,
      // A build that resumes has started before.
      started_at: trx.raw('COALESCE(started_at, ?)', [
        build.now,
      ]) as unknown as number,
      lease_until: build.leaseUntil,
      built_on: build.builtOn ?? null,
      accepted_at: build.isAccepted ? build.now : null,
    })
    .returning('*');
}
