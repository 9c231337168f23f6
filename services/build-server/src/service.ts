import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  defineService,
  groupCErrors,
  readManifest,
} from '@slipway/service-kit';
import { Permissions } from './access/Permissions.ts';
import { Artifacts } from './artifacts/Artifacts.ts';
import { buildServerConfig, type Kit } from './config.ts';
import { LocalExecutor } from './execution/local/LocalExecutor.ts';
import { recoverBuilds, WorkerIdentity } from './execution/recoverBuilds.ts';
import { runBuild } from './execution/runBuild.ts';
import { Worker } from './execution/Worker.ts';
import { chooseIsolation } from './isolation/chooseIsolation.ts';
import { setUpRoutes } from './jenkins/setUpRoutes.ts';
import { joinFolders } from './jenkins/urls.ts';
import { JobCatalog } from './jobs/JobCatalog.ts';
import { JobFolder } from './jobs/JobFolder.ts';
import { BuildLogs } from './logs/BuildLogs.ts';
import { observeBuilds } from './observeBuilds.ts';
import { pageOf } from './reporting/pageOf.ts';
import { reportBuilds } from './reporting/reportBuilds.ts';
import { tellForges } from './reporting/tellForges.ts';
import { discardBuilds } from './retention/discardBuilds.ts';
import { policyOf } from './retention/DiscardPolicy.ts';
import { StepSecrets } from './secrets/StepSecrets.ts';
import { BranchStore } from './storage/BranchStore.ts';
import { BuildReader } from './storage/BuildReader.ts';
import { BuildStore } from './storage/BuildStore.ts';
import { DiscardStore } from './storage/DiscardStore.ts';
import { Branches } from './triggers/Branches.ts';
import { BuildTriggers } from './triggers/BuildTriggers.ts';
import { runSchedules } from './triggers/runSchedules.ts';

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
  const jobs = new JobCatalog();
  const rules = {
    secrets: new Set(secrets.keys()),
    stepSecrets,
    isProduction: kit.isProduction,
  };
  const folder = new JobFolder({
    directory: path.resolve(root, config.jobsDirectory),
    rules,
    catalog: jobs,
    logger,
  });
  await folder.refresh();
  const observer = observeBuilds(kit);
  const reports = reportBuilds(kit, { jobs });
  const statuses = tellForges(kit, {
    jobs,
    store: new BuildReader({ database }),
  });
  const store = new BuildStore({
    database,
    onQueued: (trx, build) => statuses.tell(trx, build),
    async onFinished(trx, build) {
      await reports.tell(trx, build);
      await statuses.tell(trx, build);
    },
    afterFinished: build => observer.ended(build),
  });
  await store.registerJobs(
    jobs.all().map(({ name }) => name),
    now(),
  );
  const branches = new Branches({
    catalog: jobs,
    store: new BranchStore(database),
    now,
  });
  await branches.refresh();
  observer.watch(store);
  const logs = new BuildLogs({
    directory: path.join(dataDirectory, 'logs'),
    maxBytes: config.logs.maxBytes,
  });
  const artifacts = new Artifacts({
    directory: path.join(dataDirectory, 'artifacts'),
    maxBytes: config.artifacts.maxBytes,
  });
  const discard = discarder(kit, { jobs, logs, artifacts });

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
  const parts = {
    ...{ store, jobs, executor, logs, artifacts },
    ...{ leaseMs, now, logger },
  };
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
        rules,
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
  const triggers = new BuildTriggers({ store, jobs, worker, now });
  keepJobsFresh(kit, { folder, branches, jobs, store, triggers });
  kit.onStart(() => worker.start());
  kit.onStop(() => worker.stop());

  setUpRoutes(kit, {
    jobs,
    store,
    logs,
    artifacts,
    secrets,
    worker,
    isolation: isolation.status,
    permissions: new Permissions({
      auth: kit.auth,
      users: config.auth.users,
      triggerGroups: config.auth.triggerGroups,
      jobs,
    }),
    branches,
    triggers,
  });
}

/**
 * Reads job files again when they change, triggers jobs by their schedules, and ends what waits for jobs that are gone: of
 * which no server has had the file for a while, as replicas get new files one after the other.
 */
function keepJobsFresh(
  kit: Kit,
  parts: {
    folder: JobFolder;
    branches: Branches;
    jobs: JobCatalog;
    store: BuildStore;
    triggers: BuildTriggers;
  },
): void {
  const { config, now, logger } = kit;
  const { folder, branches, jobs, store, triggers } = parts;
  const everyMs = config.jobsReloadSeconds * 1_000;
  kit.every({
    name: 'Reading jobs',
    everyMs,
    async work() {
      await folder.refresh();
      await branches.refresh();
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
      await runSchedules({ jobs, store, triggers, now });
    },
  });
}

/**
 * Discards old builds when the service starts and every hour.
 *
 * @returns what to call when a build of a job has ended; it never fails.
 */
function discarder(
  kit: Kit,
  parts: { jobs: JobCatalog; logs: BuildLogs; artifacts: Artifacts },
): (job: string) => Promise<void> {
  const { config, database, now, logger } = kit;
  const { jobs, logs, artifacts } = parts;
  const store = new DiscardStore(database);
  const common = config.discardOldBuilds;
  // A job that is gone keeps nothing for ever.
  const removed = { keepDays: config.keepRemovedJobsDays };
  const discard = async (name: string) => {
    try {
      const job = jobs.find(name);
      const policy = job ? policyOf(job, common) : { ...common, ...removed };
      await discardBuilds(name, {
        ...{ store, logs, artifacts, policy, now: now() },
        isRemoved: !job,
      });
    } catch (error) {
      logger.warn({ err: error, job: name }, 'Old builds are still there');
    }
  };
  kit.every({
    name: 'Discarding old builds',
    everyMs: DISCARD_MS,
    async work() {
      for (const name of await store.listJobs()) {
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
  rewriteUrl: joinFolders,
  errors: groupCErrors,
  migrations: new URL('../migrations/', import.meta.url),
  setUp: setUpService,
});
