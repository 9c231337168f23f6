import type { Transaction } from '@slipway/service-kit';
import type { NewBuild } from '../builds/Build.ts';
import { type BuildRow, storableName } from './buildRows.ts';

/** A queued build, and whether it was created by this trigger. */
interface Queued {
  row: BuildRow;
  isNew: boolean;
}

/**
 * Reserves the next numbers of the jobs and stores the builds. The update locks the row of a
 * job, so concurrent triggers of one job are serialized; jobs are locked in the same order by
 * all processes.
 *
 * @returns a build for each trigger, in the order of the triggers.
 */
export async function enqueueBuilds(
  trx: Transaction,
  builds: readonly NewBuild[],
): Promise<Queued[]> {
  const queued = new Map<NewBuild, Queued>();
  for (const job of [...new Set(builds.map(build => build.job))].sort()) {
    const triggers = builds.filter(build => build.job === job);
    const outcomes = await enqueueOfJob(trx, job, triggers);
    triggers.forEach((build, index) => queued.set(build, outcomes[index]));
  }
  return builds.map(build => queued.get(build)!);
}

/** A build to insert, or the stored one that a trigger repeats. */
type Planned = { build: NewBuild } | { row: BuildRow };

async function enqueueOfJob(
  trx: Transaction,
  job: string,
  triggers: readonly NewBuild[],
): Promise<Queued[]> {
  const last = await reserveNumbers(trx, job, triggers);
  const planned = await plan(trx, job, triggers);
  const fresh = [
    ...new Set(planned.flatMap(one => ('build' in one ? [one.build] : []))),
  ];
  const unused = triggers.length - fresh.length;
  if (unused > 0) {
    // Numbers have no gaps if nothing was queued.
    await trx('jobs').where({ name: job }).decrement('last_number', unused);
  }
  const first = last - triggers.length + 1;
  const rows =
    fresh.length === 0
      ? []
      : await trx<BuildRow>('builds')
          .insert(fresh.map((build, index) => rowOf(build, first + index)))
          .returning('*');
  const byNumber = new Map(rows.map(row => [row.number, row]));
  return planned.map((one, index) =>
    'row' in one
      ? { row: one.row, isNew: false }
      : {
          row: byNumber.get(first + fresh.indexOf(one.build))!,
          isNew: one.build === triggers[index],
        },
  );
}

/**
 * Reserves a number for each trigger.
 *
 * @returns the last of them. A job that is triggered before it is registered, because its file was
 * only just read, begins at 1.
 */
async function reserveNumbers(
  trx: Transaction,
  job: string,
  triggers: readonly NewBuild[],
): Promise<number> {
  const reserve = async (): Promise<number | undefined> => {
    const [row] = await trx('jobs')
      .where({ name: job })
      .increment('last_number', triggers.length)
      .returning('last_number');
    return row?.last_number;
  };
  const last = await reserve();
  if (last !== undefined) {
    return last;
  }
  await trx('jobs')
    .insert({ name: job, last_number: 0, seen_at: triggers[0].queuedAt })
    .onConflict('name')
    .ignore();
  return (await reserve())!;
}

/** Finds which triggers repeat a stored build, or an earlier one of the same group. */
async function plan(
  trx: Transaction,
  job: string,
  triggers: readonly NewBuild[],
): Promise<Planned[]> {
  const deliveries = triggers.flatMap(({ delivery }) => delivery ?? []);
  const stored: BuildRow[] =
    deliveries.length === 0
      ? []
      : await trx<BuildRow>('builds')
          .where({ job })
          .whereIn('delivery', deliveries);
  const known = new Map<string, Planned>(
    stored.map(row => [row.delivery!, { row }]),
  );
  const planned: Planned[] = [];
  const fresh: NewBuild[] = [];
  for (const build of triggers) {
    const { delivery } = build;
    let same = delivery === null ? undefined : known.get(delivery);
    if (!same && build.joinsWaiting) {
      same = await findWaiting(trx, build, fresh);
    }
    if (!same) {
      same = { build };
      fresh.push(build);
      if (delivery !== null) {
        known.set(delivery, same);
      }
    }
    planned.push(same);
  }
  return planned;
}

/** Finds an identical build that still waits. */
async function findWaiting(
  trx: Transaction,
  { job, parameters, source, queuedAt }: NewBuild,
  fresh: readonly NewBuild[],
): Promise<Planned | undefined> {
  const texts = {
    parameters: JSON.stringify(parameters),
    source: source && JSON.stringify(source),
  };
  const row = await trx<BuildRow>('builds')
    .where({ job, state: 'queued', parameters: texts.parameters })
    .where(same =>
      texts.source === null
        ? same.whereNull('source')
        : same.where({ source: texts.source }),
    )
    .where('due_at', '>', queuedAt)
    .first();
  if (row) {
    return { row };
  }
  const build = fresh.find(
    one =>
      one.dueAt > queuedAt &&
      JSON.stringify(one.parameters) === texts.parameters &&
      (one.source && JSON.stringify(one.source)) === texts.source,
  );
  return build && { build };
}

function rowOf(build: NewBuild, number: number): Partial<BuildRow> {
  return {
    job: build.job,
    number,
    delivery: build.delivery,
    state: 'queued',
    cause: build.cause,
    concurrency_group: build.group ?? null,
    trigger_kind: build.kind ?? 'user',
    triggered_by: build.triggeredBy && storableName(build.triggeredBy),
    parameters: JSON.stringify(build.parameters),
    source: build.source && JSON.stringify(build.source),
    rerun: build.rerun ? JSON.stringify(build.rerun) : null,
    upstream: build.upstream ? JSON.stringify(build.upstream) : null,
    steps: '[]',
    queued_at: build.queuedAt,
    due_at: build.dueAt,
    attempt: 0,
  };
}
