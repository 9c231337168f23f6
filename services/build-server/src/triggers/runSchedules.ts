import { InvalidRequestError } from '@slipway/service-kit';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { Schedule } from '../jobs/Schedule.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { BuildTriggers } from './BuildTriggers.ts';

/**
 * Triggers the jobs whose schedule was due since the last check, each once, even if
 * several processes check.
 */
export async function runSchedules(parts: {
  jobs: JobCatalog;
  store: Pick<BuildStore, 'noteSchedule'>;
  triggers: BuildTriggers;
  now: () => number;
}): Promise<void> {
  const { jobs, store, triggers } = parts;
  for (const job of jobs.enabled()) {
    if (!job.schedule) {
      continue;
    }
    const now = parts.now();
    const before = (await store.noteSchedule(job.name, now)) ?? now;
    const due = job.schedule
      .map(text => new Schedule(text, job.name).lastDue(before, now))
      .filter(time => time !== undefined);
    if (due.length === 0) {
      continue;
    }
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
      // A required parameter has no value here: the file is invalid then, unless it has
      // since changed.
      if (!(error instanceof InvalidRequestError)) {
        throw error;
      }
    }
  }
}
