import { InvalidRequestError } from '@slipway/service-kit';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { schedulesOf } from '../jobs/Schedule.ts';
import type { ScheduleStore } from '../storage/ScheduleStore.ts';
import type { BuildTriggers } from './BuildTriggers.ts';

interface ScheduleParts {
  jobs: Pick<JobCatalog, 'all' | 'disabledReason'>;
  store: Pick<ScheduleStore, keyof ScheduleStore>;
  triggers: Pick<BuildTriggers, 'trigger'>;
  now: () => number;
  logger: { warn(details: object, message: string): void };
}

/**
 * Triggers the jobs whose schedules became due since the last check, each once even if several
 * processes check. A job that fails is retried by the next check.
 */
export async function runSchedules(parts: ScheduleParts): Promise<void> {
  const { jobs, store, now } = parts;
  // Jobs of branches, of which there may be hundreds, have no schedules.
  for (const job of jobs.all().filter(({ name }) => !name.includes('/'))) {
    try {
      if (jobs.disabledReason(job.name) !== undefined) {
        // Times missed while it is disabled or faulty are not made up for: until then, its schedule
        // may be unknown.
        await store.noteScheduleCheck(job.name, now());
      } else if (job.schedule) {
        await runSchedule(job, parts);
      }
    } catch (error) {
      parts.logger.warn(
        { err: error, job: job.name },
        'The schedule of a job was not checked',
      );
    }
  }
}

async function runSchedule(
  job: Job,
  { store, triggers, ...parts }: ScheduleParts,
): Promise<void> {
  const now = parts.now();
  const before = (await store.findScheduleCheck(job.name)) ?? now;
  const due = schedulesOf(job)
    .map(schedule => schedule.lastDue(before, now))
    .filter(time => time !== undefined);
  if (due.length > 0) {
    try {
      await triggers.trigger({
        job,
        parameters: new Map(),
        cause: 'Triggered by its schedule',
        kind: 'schedule',
        delivery: `schedule:${Math.max(...due)}`,
        delayMs: 0,
      });
    } catch (error) {
      // A required parameter has no value here; a file with one is invalid, unless it has changed
      // since.
      if (!(error instanceof InvalidRequestError)) {
        throw error;
      }
    }
  }
  // Last, so that if the process is killed before, the trigger is repeated and its delivery returns
  // the same build.
  await store.noteScheduleCheck(job.name, now);
}
