import type { Knex } from 'knex';
import { type BuildRow } from './buildRow.ts';
import type { BuildStore } from './BuildStore.ts';

type ClaimOptions = Parameters<BuildStore['claim']>[0];

/**
 * Starts what is due, oldest first. What decides is one conditional update for each
 * build; the row of a serial job is locked before, as two processes could otherwise
 * each start one of its builds and see nothing of the other.
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
    const due: { id: number }[] = await trx('builds')
      .where({ job, state: 'queued' })
      .where('due_at', '<=', options.now)
      .orderBy([{ column: 'due_at' }, { column: 'id' }])
      .limit(isSerial ? 1 : left)
      .select('id');
    for (const { id } of due) {
      claimed.push(...(await start(trx, { id, job, isSerial, ...options })));
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
    isSerial: boolean;
    worker: string;
    now: number;
    leaseUntil: number;
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
  return update
    .update({
      state: 'running',
      worker: build.worker,
      attempt: trx.raw('attempt + 1') as unknown as number,
      started_at: build.now,
      lease_until: build.leaseUntil,
    })
    .returning('*');
}
