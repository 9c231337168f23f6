import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  defineService,
  groupCErrors,
  readManifest,
} from '@slipway/service-kit';
import { Permissions } from './access/Permissions.ts';
import { buildServerConfig, type Kit } from './config.ts';
import { LocalExecutor } from './execution/local/LocalExecutor.ts';
import { recoverBuilds, WorkerIdentity } from './execution/recoverBuilds.ts';
import { runBuild } from './execution/runBuild.ts';
import { Worker } from './execution/Worker.ts';
import { chooseIsolation } from './isolation/chooseIsolation.ts';
import { setUpRoutes } from './jenkins/setUpRoutes.ts';
import { JobCatalog } from './jobs/Job.ts';
import { readJobs } from './jobs/readJobs.ts';
import { BuildLogs } from './logs/BuildLogs.ts';
import { observeBuilds } from './observeBuilds.ts';
import { pageOf, reportBuilds } from './reporting/reportBuilds.ts';
import { discardBuilds } from './retention/discardBuilds.ts';
import { StepSecrets } from './secrets/StepSecrets.ts';
import { BuildStore } from './storage/BuildStore.ts';
import { DiscardStore } from './storage/DiscardStore.ts';
import { BuildTriggers } from './triggers/BuildTriggers.ts';

/** The repository, which relative file names of the configuration are relative to. */
function findRoot(from: string = import.meta.dirname): string {
  const parent = path.dirname(from);
  return existsSync(path.join(from, 'yarn.lock')) || parent === from
    ? from
    : findRoot(parent);
}

/** Age alone discards builds of a job that nobody runs any more. */
const DISCARD_MS = 3_600_000;

/** Puts the service together: what builds are kept in, what runs them, who asks. */
async function setUpService(kit: Kit): Promise<void> {
  const { config, database, now, logger } = kit;
  const root = findRoot();
  const dataDirectory = path.resolve(root, config.dataDirectory);
  const directory = path.join(dataDirectory, 'work');
  const secrets = new Map(Object.entries(config.secrets ?? {}));
  const stepSecrets = new StepSecrets(config.stepSecrets);
  const jobs = new JobCatalog(
    await readJobs(path.resolve(root, config.jobsDirectory), {
      secrets: new Set(secrets.keys()),
      stepSecrets,
      isProduction: kit.isProduction,
    }),
  );
  const observer = observeBuilds(kit);
  const reports = reportBuilds(kit, { jobs });
  const store = new BuildStore({
    database,
    onFinished: (trx, build) => reports.tell(trx, build),
    afterFinished: build => observer.ended(build),
  });
  await store.registerJobs(jobs.all().map(({ name }) => name));
  observer.watch(store);
  const logs = new BuildLogs({
    directory: path.join(dataDirectory, 'logs'),
    maxBytes: config.logs.maxBytes,
  });
  const discard = discarder(kit, { jobs, logs });

  const isolation = await chooseIsolation(config, {
    directory,
    isProduction: kit.isProduction,
    logger,
  });
  const executor = new LocalExecutor({
    directory,
    isolation,
    path: config.path,
    killAfterMs: config.killAfterSeconds * 1_000,
  });
  const identity = await WorkerIdentity.create();
  const leaseMs = config.leaseSeconds * 1_000;
  const parts = { store, jobs, executor, logs, leaseMs, now, logger };
  const worker = new Worker({
    ...parts,
    id: identity.id,
    executors: config.executors,
    run: async (build, hold) => {
      observer.started(build);
      await runBuild(build, hold, {
        ...parts,
        worker: identity.id,
        secrets: stepSecrets,
        git: config.git,
        urlOf: one => pageOf(kit.portal.appUrl, one),
      });
      await discard(build.job);
    },
  });
  kit.every({
    name: 'Recovering builds',
    everyMs: leaseMs / 3,
    isAwaitedAtStart: true,
    async work() {
      const builds = await recoverBuilds({ ...parts, identity });
      if (builds > 0) {
        logger.warn({ builds }, 'Builds of a process that is gone were ended');
        worker.wake();
      }
    },
  });
  kit.onStart(() => worker.start());
  kit.onStop(() => worker.stop());

  setUpRoutes(kit, {
    jobs,
    store,
    logs,
    secrets,
    worker,
    isolation: isolation.status,
    permissions: new Permissions({
      auth: kit.auth,
      users: config.auth.users,
      triggerGroups: config.auth.triggerGroups,
      jobs,
    }),
    triggers: new BuildTriggers({ store, worker, now }),
  });
}

/**
 * Discards old builds when the service starts and every hour.
 *
 * @returns what to call when a build of a job has ended; it never fails.
 */
function discarder(
  kit: Kit,
  { jobs, logs }: { jobs: JobCatalog; logs: BuildLogs },
): (job: string) => Promise<void> {
  const { config, database, now, logger } = kit;
  const store = new DiscardStore(database);
  const common = config.discardOldBuilds;
  const discard = async (name: string) => {
    try {
      const job = jobs.get(name);
      await discardBuilds(job, { store, logs, common, now: now() });
    } catch (error) {
      logger.warn({ err: error, job: name }, 'Old builds are still there');
    }
  };
  kit.every({
    name: 'Discarding old builds',
    everyMs: DISCARD_MS,
    async work() {
      for (const { name } of jobs.all()) {
        await discard(name);
      }
    },
  });
  return discard;
}

const { port, ...about } = readManifest(
  new URL('../package.json', import.meta.url),
);

/** The build server. */
export const buildServer = defineService({
  ...about,
  configSchema: buildServerConfig,
  defaults: { port, perMinute: 6_000 },
  // Clients of Jenkins write paths with one and without.
  ignoreTrailingSlash: true,
  errors: groupCErrors,
  migrations: new URL('../migrations/', import.meta.url),
  setUp: setUpService,
});
