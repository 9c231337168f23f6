import type { Knex } from 'knex';
import type { NewBuild } from '../builds/Build.ts';
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

/**
 * Reserves the next number of the job and stores the build. The update locks the row of
 * the job, so concurrent triggers of one job are serialized.
 */
export async function enqueueBuild(
  trx: Knex.Transaction,
  build: NewBuild,
): Promise<{ row: BuildRow; isNew: boolean }> {
  const number =
    (await reserveNumber(trx, build.job)) ?? (await beginNumbers(trx, build));
  const same = await findSame(trx, build);
  if (same) {
    // Numbers have no gaps if nothing was queued.
    await trx('jobs').where({ name: build.job }).decrement('last_number', 1);
    return { row: same, isNew: false };
  }
  const [row] = await trx<BuildRow>('builds')
    .insert({
      job: build.job,
      number,
      delivery: build.delivery,
      state: 'queued',
      cause: build.cause,
      concurrency_group: build.group ?? null,
      trigger_kind: build.kind ?? 'user',
      triggered_by: build.triggeredBy && shortened(build.triggeredBy),
      parameters: JSON.stringify(build.parameters),
      source: build.source && JSON.stringify(build.source),
      rerun: build.rerun ? JSON.stringify(build.rerun) : null,
      upstream: build.upstream ? JSON.stringify(build.upstream) : null,
      steps: '[]',
      queued_at: build.queuedAt,
      due_at: build.dueAt,
      attempt: 0,
    })
    .returning('*');
  return { row, isNew: true };
}

async function reserveNumber(
  trx: Knex.Transaction,
  job: string,
): Promise<number | undefined> {
  const [row] = await trx('jobs')
    .where({ name: job })
    .increment('last_number', 1)
    .returning('last_number');
  return row?.last_number;
}

/**
 * Initializes the build numbers of a job that is triggered before its registration, since
 * its file was only just read.
 */
async function beginNumbers(
  trx: Knex.Transaction,
  { job, queuedAt }: NewBuild,
): Promise<number> {
  await trx('jobs')
    .insert({ name: job, last_number: 0, seen_at: queuedAt })
    .onConflict('name')
    .ignore();
  return (await reserveNumber(trx, job))!;
}

/**
 * Shortens a name to the size of its column: PostgreSQL rejects longer values, and
 * payloads contain names of any length.
 */
export function shortened(name: string): string {
  return Array.from(name.slice(0, 512)).slice(0, 256).join('');
}

/** Finds the build of the same delivery, or an identical queued one. */
async function findSame(
  trx: Knex.Transaction,
  { job, delivery, parameters, source, queuedAt, joinsWaiting }: NewBuild,
): Promise<BuildRow | undefined> {
  if (delivery !== null) {
    const repeated = await trx<BuildRow>('builds')
      .where({ job, delivery })
      .first();
    if (repeated) {
      return repeated;
    }
  }
  if (!joinsWaiting) {
    return undefined;
  }
  return trx<BuildRow>('builds')
    .where({ job, state: 'queued', parameters: JSON.stringify(parameters) })
    .where(same =>
      source
        ? same.where({ source: JSON.stringify(source) })
        : same.whereNull('source'),
    )
    .where('due_at', '>', queuedAt)
    .first();
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
    const found: { id: number; group: string | null; steps: string }[] =
      await trx('builds')
        .where({ job, state: 'queued' })
        .where('due_at', '<=', options.now)
        .orderBy([{ column: 'due_at' }, { column: 'id' }])
        .limit(isSerial ? 1 : left)
        .select('id', 'steps', 'concurrency_group as group');
    // The files of builds that resume are on the servers, not on agents.
    const due = found.filter(
      ({ steps }) => options.builtOn === undefined || steps === '[]',
    );
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

async function jobsWithDue(
  trx: Knex.Transaction,
  { jobs, now }: ClaimOptions,
): Promise<string[]> {
  const rows: { job: string }[] = await trx('builds')
    .where({ state: 'queued' })
    .where('due_at', '<=', now)
    .whereIn(
      'job',
      jobs.map(({ name }) => name),
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
