import type { Kit } from '../config.ts';
import type { Samples } from '../samples/Samples.ts';
import type { ManagedSecrets } from '../secrets/ManagedSecrets.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { DisabledJobStore } from '../storage/DisabledJobStore.ts';
import { ScheduleStore } from '../storage/ScheduleStore.ts';
import type { BuildTriggers } from '../triggers/BuildTriggers.ts';
import type { Revisions } from '../triggers/Revisions.ts';
import { runSchedules } from '../triggers/runSchedules.ts';
import type { JobCatalog } from './JobCatalog.ts';
import type { JobFolder } from './JobFolder.ts';

/**
 * Reloads changed job files and the list of disabled jobs, triggers jobs by their schedules, and
 * cancels queued builds of removed jobs. A job counts as removed when no server has seen its file for a while,
 * since replicas receive new files one after another.
 */
export function keepJobsFresh(
  kit: Kit,
  parts: {
    folder: JobFolder;
    samples: Samples;
    revisions: Revisions;
    disabled: DisabledJobStore;
    secrets: ManagedSecrets;
    jobs: JobCatalog;
    store: BuildStore;
    triggers: BuildTriggers;
  },
): void {
  const { config, now, logger } = kit;
  const { folder, samples, revisions, disabled, jobs, store, triggers } = parts;
  const schedules = new ScheduleStore(kit.database);
  const everyMs = config.jobsReloadSeconds * 1_000;
  kit.every({
    name: 'Reading jobs',
    everyMs,
    async work() {
      if (await parts.secrets.refresh()) {
        folder.forget();
      }
      await folder.refresh();
      await samples.refresh();
      await revisions.refresh();
      await store.registerJobs(
        jobs.all().map(({ name }) => name),
        now(),
      );
      const ended = await store.endOrphans({
        unseenSince: now() - 3 * everyMs,
        now: now(),
      });
      if (ended > 0) {
        logger.warn({ builds: ended }, 'Queued builds of removed jobs ended');
      }
    },
  });
  // A separate task, because known jobs keep their schedules while files or branches cannot be
  // read. The disabled jobs are read first: another server may have disabled one in the meantime.
  kit.every({
    name: 'Checking schedules',
    everyMs,
    async work() {
      jobs.replaceDisabled(await disabled.list());
      await runSchedules({ jobs, store: schedules, triggers, now, logger });
    },
  });
}
