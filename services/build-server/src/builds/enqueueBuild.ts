import type { Knex } from 'knex';
import type { BuildRow } from './buildRow.ts';
import type { NewBuild } from './BuildStore.ts';

/**
 * Reserves the next number of the job and writes the build down. The update locks the
 * job's row, so triggers of one job take turns and see each other.
 */
export async function enqueueBuild(
  trx: Knex.Transaction,
  build: NewBuild,
): Promise<{ row: BuildRow; isNew: boolean }> {
  const [{ last_number: number }] = await trx('jobs')
    .where({ name: build.job })
    .increment('last_number', 1)
    .returning('last_number');
  const same = await findSame(trx, build);
  if (same) {
    // Numbers have no gap where nothing was queued.
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
      triggered_by: build.triggeredBy,
      parameters: JSON.stringify(build.parameters),
      source: build.source && JSON.stringify(build.source),
      steps: '[]',
      queued_at: build.queuedAt,
      due_at: build.dueAt,
      attempt: 0,
    })
    .returning('*');
  return { row, isNew: true };
}

/** The same delivery, or one that still waits and is for the same. */
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
