import { AgentDesk, type DeskOptions } from '../agents/AgentDesk.ts';
import { LostBuilds } from '../agents/LostBuilds.ts';
import { pageOf, type StartedBuild } from '../builds/Build.ts';
import type { Kit } from '../config.ts';
import { chooseIsolation } from '../isolation/chooseIsolation.ts';
import type { observeBuilds } from '../observeBuilds.ts';
import type { ManagedSecrets } from '../secrets/ManagedSecrets.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import { AgentStore } from '../storage/AgentStore.ts';
import type { TriggerLoad } from '../triggers/BuildTriggers.ts';
import { exchangeOf } from './exchangeOf.ts';
import { openExecutor } from './openExecutor.ts';
import { recoverBuilds, WorkerIdentity } from './recoverBuilds.ts';
import { runBuild, type RunParts } from './runBuild.ts';
import { Worker } from './Worker.ts';

/**
 * Sets up what runs builds: this process, agents, and the recovery of builds whose process is
 * gone.
 */
export async function setUpExecution(
  kit: Kit,
  options: Pick<
    DeskOptions,
    | 'store'
    | 'jobs'
    | 'logs'
    | 'artifacts'
    | 'gates'
    | 'caches'
    | 'jobArtifacts'
  > & {
    /** Absolute; contains work directories. */
    directory: string;
    rules: RunParts['rules'];
    load: TriggerLoad;
    observer: ReturnType<typeof observeBuilds>;
    stepSecrets: StepSecrets;
    managedSecrets: ManagedSecrets;
    /** Called when a build of a job has ended. */
    discard(job: string): Promise<void>;
  },
) {
  const { config, database, now, logger } = kit;
  const { directory, rules, load, observer, discard } = options;
  const { store, jobs, logs, artifacts, gates, caches, jobArtifacts } = options;
  const { stepSecrets, managedSecrets } = options;
  const isolation = await chooseIsolation(config, {
    directory,
    isProduction: kit.isProduction,
    logger,
  });
  const { executor, labels, probeImages } = openExecutor(config, {
    ...{ directory, isolation },
    untilSettled: () => load.settled(),
  });
  // After the worker has stopped: services stop in reverse order.
  kit.onStop(() => executor.close?.());
  const identity = await WorkerIdentity.create();
  const leaseMs = config.leaseSeconds * 1_000;
  const urlOf = (build: StartedBuild) => kit.portal.appUrl + pageOf(build);
  const shared = {
    ...{ store, jobs, logs, artifacts, gates, caches, jobArtifacts },
    ...{ git: config.git, urlOf, now },
  };
  const parts = { ...shared, executor, leaseMs, logger };
  const lost = new LostBuilds({ ...shared, logger });
  const onStarted = async (build: StartedBuild, job = jobs.find(build.job)) => {
    observer.started(build);
    // The job may have been removed since the build was claimed.
    if (job) {
      await managedSecrets.recordUse(job, build);
    }
  };
  const agents = new AgentStore(database);
  const desk = new AgentDesk({
    ...shared,
    ...{ agents, lost, onStarted },
    secrets: stepSecrets,
    limits: {
      logBytes: config.logs.maxBytes,
      artifactBytes: config.artifacts.maxBytes,
    },
    leaseMs: config.agents.leaseSeconds * 1_000,
    ownLabels: config.executors > 0 ? labels : undefined,
    onEnded: discard,
  });
  // Runs before shutdown waits for open requests: long-polling ones would delay it.
  kit.app.addHook('preClose', async () => desk.close());
  const worker = new Worker({
    ...parts,
    id: identity.id,
    labels,
    executors: config.executors,
    untilSettled: () => load.settled(),
    isSettled: () => load.isSettled(),
    run: (build, hold) =>
      runBuild(build, hold, {
        ...{ ...parts, lost, rules, onStarted },
        worker: identity.id,
        secrets: stepSecrets,
        environment: config.environment,
        exchangeOf: claim => exchangeOf(claim, shared),
        onEnded: discard,
      }),
  });
  kit.every({
    name: 'Recovering builds',
    everyMs: leaseMs / 3,
    isAwaitedAtStart: true,
    async work() {
      const builds = await recoverBuilds({ ...parts, identity, lost });
      if (builds > 0) {
        logger.warn({ builds }, 'Builds of a process that is gone were ended');
      }
    },
  });
  kit.every({
    name: 'Removing what ended builds have left',
    everyMs: leaseMs / 3,
    isAwaitedAtStart: true,
    work: () => executor.tidy(ids => store.listOver(ids)),
  });
  return {
    isolation,
    labels,
    probeImages,
    agents,
    desk,
    worker,
  };
}
