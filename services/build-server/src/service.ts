import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  defineService,
  groupCErrors,
  openCipher,
  readManifest,
  auditAdministration,
} from '@slipway/service-kit';
import { Permissions } from './access/Permissions.ts';
import { agentAccess } from './agents/agentAuth.ts';
import { setUpAgents } from './agents/setUpAgents.ts';
import { Approvals } from './approvals/Approvals.ts';
import { BuildArtifacts } from './artifacts/BuildArtifacts.ts';
import { Artifacts } from './artifacts/Artifacts.ts';
import { removeAbandoned } from './artifacts/removeAbandoned.ts';
import { FolderCaches } from './caches/FolderCaches.ts';
import { buildServerConfig, type Kit } from './config.ts';
import { openExecutor } from './execution/openExecutor.ts';
import { recoverBuilds, WorkerIdentity } from './execution/recoverBuilds.ts';
import { runBuild } from './execution/runBuild.ts';
import { Worker } from './execution/Worker.ts';
import { chooseIsolation } from './isolation/chooseIsolation.ts';
import { setUpRoutes } from './jenkins/setUpRoutes.ts';
import { rewriteUrl } from './jenkins/urls.ts';
import { JobCatalog } from './jobs/JobCatalog.ts';
import { sampleRoutes } from './samples/routes.ts';
import { Samples } from './samples/Samples.ts';
import { JobFolder } from './jobs/JobFolder.ts';
import { BuildLogs } from './logs/BuildLogs.ts';
import { observeBuilds } from './observeBuilds.ts';
import { pageOf, reportBuilds } from './reporting/reportBuilds.ts';
import { setUpMail } from './reporting/setUpMail.ts';
import { tellPeople } from './reporting/tellPeople.ts';
import { tellForges } from './reporting/tellForges.ts';
import { discardBuilds } from './retention/discardBuilds.ts';
import { policyOf } from './retention/DiscardPolicy.ts';
import { ManagedSecrets } from './secrets/ManagedSecrets.ts';
import { secretRoutes } from './secrets/routes.ts';
import { StepSecrets } from './secrets/StepSecrets.ts';
import { BranchStore } from './storage/BranchStore.ts';
import { BuildReader } from './storage/BuildReader.ts';
import { BuildStore } from './storage/BuildStore.ts';
import { DisabledJobStore } from './storage/DisabledJobStore.ts';
import { CacheStore } from './storage/CacheStore.ts';
import { GateStore } from './storage/GateStore.ts';
import { enqueueBuilds } from './storage/enqueueBuilds.ts';
import { SampleStore } from './storage/SampleStore.ts';
import { SecretStore } from './storage/SecretStore.ts';
import { DiscardStore } from './storage/DiscardStore.ts';
import { TestStore } from './storage/TestStore.ts';
import { UsageStore } from './storage/UsageStore.ts';
import { Branches } from './triggers/Branches.ts';
import { BuildTriggers } from './triggers/BuildTriggers.ts';
import { downstreamOf } from './triggers/Downstream.ts';
import { TriggerLoad } from './triggers/TriggerLoad.ts';
import { pollRepositories } from './triggers/pollRepositories.ts';
import { runSchedules } from './triggers/runSchedules.ts';
import { DiskUsage } from './usage/DiskUsage.ts';
import { usageRoutes } from './usage/routes.ts';

/** Finds the root of the repository, the base of relative file names in the configuration. */
function findRoot(from: string = import.meta.dirname): string {
  const parent = path.dirname(from);
  return existsSync(path.join(from, 'yarn.lock')) || parent === from
    ? from
    : findRoot(parent);
}

/** Builds of an inactive job are discarded by age alone. */
const DISCARD_MS = 3_600_000;

/** Sets up the service: storage, execution and routes. */
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
  const managedSecrets = new ManagedSecrets({
    ...{ configured: config.stepSecrets, secrets: stepSecrets },
    store: new SecretStore(database),
    cipher: await openCipher({
      ...{ key: config.secretsKey, dataDirectory },
      purpose: 'slipway build-server secrets',
      isProduction: kit.isProduction,
    }),
    ...{ now, logger },
  });
  await managedSecrets.refresh();
  const folder = new JobFolder({
    directory: path.resolve(root, config.jobsDirectory),
    rules,
    catalog: jobs,
    logger,
  });
  await folder.refresh();
  const observer = observeBuilds(kit);
  const reports = reportBuilds(kit, { jobs });
  const people = tellPeople(kit, { jobs });
  const mails = setUpMail(kit, { jobs });
  const statuses = tellForges(kit, {
    jobs,
    store: new BuildReader({ database }),
  });
  /** Looks for builds to start, once the worker exists. */
  let wake = () => {};
  /** Offers to start builds as they are queued, once the worker has started. */
  let offer: Worker['offer'] = () => undefined;
  const tests = new TestStore(database);
  const gates = new GateStore({ database, now });
  const store = new BuildStore({
    database,
    onQueued: (trx, build) => statuses.tell(trx, build),
    onTests: (trx, build, cases) => tests.record(trx, build, cases),
    async onFinished(trx, build) {
      await reports.tell(trx, build);
      await statuses.tell(trx, build);
      await people.tell(trx, build);
      await mails.tell(trx, build);
      // In the transaction that records the end: none is lost, and none is queued twice.
      await enqueueBuilds(trx, downstreamOf(build, { jobs, now }));
    },
    offer: jobNames => offer(jobNames),
    afterFinished(build) {
      observer.ended(build);
      wake();
    },
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
  const disabled = new DisabledJobStore(database);
  jobs.replaceDisabled(await disabled.list());
  observer.watch(store);
  const logs = new BuildLogs({
    directory: path.join(dataDirectory, 'logs'),
    maxBytes: config.logs.maxBytes,
  });
  const artifacts = new Artifacts({
    directory: path.join(dataDirectory, 'artifacts'),
    maxBytes: config.artifacts.maxBytes,
  });
  const caches = new FolderCaches({
    directory: path.join(dataDirectory, 'caches'),
    limits: config.caches,
    store: new CacheStore(database),
    ...{ builds: store, jobs, now },
  });
  kit.every({
    name: 'Removing old caches and unfinished files',
    everyMs: DISCARD_MS,
    async work() {
      await caches.prune();
      await removeAbandoned(path.join(dataDirectory, 'artifacts'), now());
    },
  });
  const others = new BuildArtifacts({ store, jobs, artifacts });
  const sampleStore = new SampleStore(database);
  const samples = new Samples({
    store: sampleStore,
    catalog: jobs,
    logs,
    artifacts,
    register: names => store.registerJobs(names, now()),
  });
  await samples.refresh();
  const discard = discarder(kit, { jobs, logs, artifacts });

  const isolation = await chooseIsolation(config, {
    directory,
    isProduction: kit.isProduction,
    logger,
  });
  const { executor, labels, probeImages } = openExecutor(config, {
    ...{ directory, isolation },
  });
  // After the worker has stopped: services stop in reverse order.
  kit.onStop(() => executor.close?.());
  const identity = await WorkerIdentity.create();
  const leaseMs = config.leaseSeconds * 1_000;
  const parts = {
    ...{ store, jobs, executor, logs, artifacts, gates, caches, others },
    ...{ leaseMs, now, logger },
  };
  const { agents, desk, lost } = setUpAgents(kit, {
    ...{ store, jobs, logs, artifacts, gates, caches, others },
    secrets: stepSecrets,
    ownLabels: config.executors > 0 ? labels : undefined,
    async onStarted(build) {
      observer.started(build);
      await managedSecrets.recordUse(jobs.get(build.job), build);
    },
    onEnded: discard,
  });
  const load = new TriggerLoad();
  const worker = new Worker({
    ...parts,
    id: identity.id,
    labels,
    executors: config.executors,
    untilSettled: () => load.settled(),
    isSettled: () => load.isSettled(),
    run: async (build, hold) => {
      observer.started(build);
      const job = jobs.get(build.job);
      await managedSecrets.recordUse(job, build);
      await runBuild(build, hold, {
        ...parts,
        worker: identity.id,
        // Only the current secrets that this build may use.
        secrets: new StepSecrets(stepSecrets.forBuild(job, build)),
        git: config.git,
        environment: config.environment,
        rules,
        onSuspended: claim => lost.suspend(claim),
        onLost: (claim, reason) => lost.losePlace(claim, reason),
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
      const builds = await recoverBuilds({ ...parts, identity, lost });
      if (builds > 0) {
        logger.warn({ builds }, 'Builds of a process that is gone were ended');
        worker.wake();
        desk.wake();
      }
    },
  });
  wake = () => {
    worker.wake();
    desk.wake();
  };
  const triggers = new BuildTriggers({
    ...{ store, jobs, load, now },
    worker: {
      wake,
      stopBuild: (id, by) => worker.stopBuild(id, by),
    },
  });
  keepJobsFresh(kit, {
    ...{ folder, samples, branches, disabled, jobs, store, triggers },
    secrets: managedSecrets,
  });
  if (config.pollSeconds > 0) {
    kit.every({
      name: 'Polling repositories',
      everyMs: config.pollSeconds * 1_000,
      work: signal =>
        pollRepositories(
          {
            ...{ jobs, branches, store, triggers, logger },
            secrets: stepSecrets,
            forges: Object.values(config.forges),
            git: config.git,
            path: config.path,
          },
          signal,
        ),
    });
  }
  kit.onStart(() => {
    worker.start();
    offer = names => worker.offer(names);
  });
  kit.onStop(() => worker.stop());

  const permissions = new Permissions({
    auth: kit.auth,
    users: config.auth.users,
    triggerGroups: config.auth.triggerGroups,
    adminGroups: config.auth.adminGroups,
    jobs,
  });
  auditAdministration(kit, { access: permissions.admin });
  sampleRoutes(kit.app, {
    access: permissions.admin,
    samples,
    store: sampleStore,
  });
  usageRoutes(kit.app, {
    ...{ permissions, jobs, now },
    store: new UsageStore(database),
    disk: new DiskUsage({
      folders: {
        logs: path.join(dataDirectory, 'logs'),
        artifacts: path.join(dataDirectory, 'artifacts'),
        caches: path.join(dataDirectory, 'caches'),
      },
      now,
    }),
  });
  secretRoutes(kit.app, {
    permissions,
    secrets: managedSecrets,
    async apply() {
      await managedSecrets.refresh();
      folder.forget();
      await folder.refresh();
      wake();
    },
  });
  setUpRoutes(kit, {
    jobs,
    folder,
    store,
    logs,
    artifacts,
    secrets,
    worker,
    agents: {
      agents,
      desk,
      access: agentAccess(agents),
      leaseMs: config.agents.leaseSeconds * 1_000,
    },
    isolation: isolation.status,
    probeImages,
    permissions,
    approvals: new Approvals({ gates, store, jobs, permissions }),
    tests,
    branches,
    disabled,
    triggers,
    labels,
    wake,
  });
}

/**
 * Reloads changed job files, triggers jobs by their schedules, and cancels queued builds
 * of removed jobs. A job counts as removed when no server has seen its file for a while,
 * since replicas receive new files one after another.
 */
function keepJobsFresh(
  kit: Kit,
  parts: {
    folder: JobFolder;
    samples: Samples;
    branches: Branches;
    disabled: DisabledJobStore;
    secrets: ManagedSecrets;
    jobs: JobCatalog;
    store: BuildStore;
    triggers: BuildTriggers;
  },
): void {
  const { config, now, logger } = kit;
  const { folder, samples, branches, disabled, jobs, store, triggers } = parts;
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
      await branches.refresh();
      jobs.replaceDisabled(await disabled.list());
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
 * Discards old builds when the service starts, and every hour.
 *
 * @returns a function to call when a build of a job has ended; it never fails.
 */
function discarder(
  kit: Kit,
  parts: { jobs: JobCatalog; logs: BuildLogs; artifacts: Artifacts },
): (job: string) => Promise<void> {
  const { config, database, now, logger } = kit;
  const { jobs, logs, artifacts } = parts;
  const store = new DiscardStore(database);
  const common = config.discardOldBuilds;
  // The builds of a removed job are not kept forever.
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
  // Clients of Jenkins write paths with and without a trailing slash.
  ignoreTrailingSlash: true,
  rewriteUrl,
  errors: groupCErrors,
  migrations: new URL('../migrations/', import.meta.url),
  setUp: setUpService,
});
