import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { Load, Waits } from '../storage/UsageStore.ts';

export const DAY_MS = 86_400_000;
/** Longer periods are shown by week. */
const MAX_DAYS_BY_DAY = 92;
const WEEK_DAYS = 7;
/** Maximum number of rows of a table. */
const MAX_ROWS = 200;

const NONE: Load = { builds: 0, runMs: 0, judged: 0, succeeded: 0 };

/** A period in whole days, in milliseconds since the Unix epoch; `to` is exclusive. */
interface Days {
  from: number;
  to: number;
}

/** Returns the length of the parts in which a period is shown. */
export function partMsOf({ from, to }: Days): number {
  const isShort = (to - from) / DAY_MS <= MAX_DAYS_BY_DAY;
  return (isShort ? 1 : WEEK_DAYS) * DAY_MS;
}

/** Presents the load of builds. */
export function toUsage({ builds, runMs, judged, succeeded }: Load) {
  return {
    builds,
    minutes: Math.round(runMs / 6_000) / 10,
    judged,
    succeeded,
  };
}

/** Lists the parts of a period that have begun, including those without builds. */
export function partsOf(
  { from, to, now }: Days & { now: number },
  { loads, waits }: { loads: Map<number, Load>; waits: Map<number, Waits> },
) {
  const partMs = partMsOf({ from, to });
  const count = Math.ceil((Math.min(to, now) - from) / partMs);
  return Array.from({ length: Math.max(0, count) }, (_, part) => {
    const start = from + part * partMs;
    const end = Math.min(start + partMs, to);
    const load = loads.get(part) ?? NONE;
    const lasted = Math.min(end, now) - start;
    return {
      from: dayOf(start),
      to: dayOf(end - 1),
      ...toUsage(load),
      queue: secondsOf(waits.get(part)),
      executors: Math.round((load.runMs / lasted) * 100) / 100,
      isOver: end <= now,
    };
  });
}

/** Adds up the load of jobs with their branches, by job and by team, most minutes first. */
export function byJobAndTeam(
  loads: ReadonlyMap<string, Load>,
  jobs: Pick<JobCatalog, 'findOfBuild'>,
) {
  const byJob = new Map<string, Load>();
  const byTeam = new Map<string | null, Load>();
  const ownerOf = (job: string) => jobs.findOfBuild(job)?.owner ?? null;
  for (const [name, load] of loads) {
    // A branch or pull request is `<job>/<branch>`.
    const [job] = name.split('/');
    const team = ownerOf(job);
    byJob.set(job, add(byJob.get(job), load));
    byTeam.set(team, add(byTeam.get(team), load));
  }
  return {
    jobs: ranked(byJob).map(([job, load]) => ({
      job,
      team: ownerOf(job),
      ...toUsage(load),
    })),
    teams: ranked(byTeam).map(([team, load]) => ({ team, ...toUsage(load) })),
  };
}

export function secondsOf(waits: Waits | undefined): Waits | null {
  return waits ? { p50: waits.p50 / 1_000, p95: waits.p95 / 1_000 } : null;
}

/** Adds up loads. */
export function sumOf(loads: Iterable<Load>): Load {
  let sum = NONE;
  for (const load of loads) {
    sum = add(sum, load);
  }
  return sum;
}

function add(sum: Load = NONE, load: Load): Load {
  return {
    builds: sum.builds + load.builds,
    runMs: sum.runMs + load.runMs,
    judged: sum.judged + load.judged,
    succeeded: sum.succeeded + load.succeeded,
  };
}

function ranked<K>(loads: ReadonlyMap<K, Load>): [K, Load][] {
  return [...loads]
    .sort(([, one], [, other]) => other.runMs - one.runMs)
    .slice(0, MAX_ROWS);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
