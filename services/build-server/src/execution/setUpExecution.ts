import type { BuildStore } from '../builds/BuildStore.ts';
import type { StartedBuild } from '../builds/Build.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import { pageOf } from '../reporting/pageOf.ts';
import type { Kit } from '../setUpService.ts';
import type { Isolation } from '../isolation/Isolation.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import { BuildRecorder } from './BuildRecorder.ts';
import { BuildRunner } from './BuildRunner.ts';
import { BuildWorker } from './BuildWorker.ts';
import { HeldBuilds } from './HeldBuilds.ts';
import { LocalExecutor } from './local/LocalExecutor.ts';
import { Recovery } from './Recovery.ts';
import { WorkerIdentity } from './WorkerIdentity.ts';

/** Starts running builds once the service listens, after what an earlier process left. */
export async function setUpExecution(
  kit: Kit,
  options: {
    store: BuildStore;
    jobs: JobCatalog;
    logs: BuildLogs;
    secrets: StepSecrets;
    isolation: Isolation;
    /** Of work directories; absolute. */
    directory: string;
    onStarted(build: StartedBuild): void;
    /** Told the job of a build that has ended here. */
    onEnded(job: string): Promise<void>;
  },
): Promise<BuildWorker> {
  const { config, now, logger } = kit;
  const { store, logs } = options;
  const identity = await WorkerIdentity.create();
  const executor = new LocalExecutor({
    directory: options.directory,
    isolation: options.isolation,
    path: config.path,
    killAfterMs: config.killAfterSeconds * 1_000,
  });
  const leaseMs = config.leaseSeconds * 1_000;
  const ours = { worker: identity.id, leaseMs, now, logger };
  const worker = new BuildWorker({
    ...options,
    ...ours,
    id: identity.id,
    executors: config.executors,
    held: new HeldBuilds({ ...ours, store }),
    recorder: new BuildRecorder({
      ...options,
      ...ours,
      runner: new BuildRunner({
        executor,
        logs,
        secrets: options.secrets,
        git: config.git,
        urlOf: build => pageOf(kit.portal.appUrl, build),
        now,
      }),
    }),
  });
  const recovery = new Recovery({ store, executor, identity, logs, now });
  kit.every({
    name: 'Recovering builds',
    everyMs: leaseMs / 3,
    isAwaitedAtStart: true,
    async work() {
      const ended = await recovery.run();
      if (ended > 0) {
        logger.warn(
          { builds: ended },
          'Builds of a process that is gone were ended',
        );
        worker.wake();
      }
    },
  });
  kit.onStart(() => worker.start());
  kit.onStop(() => worker.stop());
  return worker;
}
