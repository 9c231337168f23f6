import path from 'node:path';
import {
  defineService,
  groupCErrors,
  openCipher,
  readManifest,
} from '@slipway/service-kit';
import { Permissions } from './access/Permissions.ts';
import { agentAccess } from './agents/agentAuth.ts';
import { Approvals } from './approvals/Approvals.ts';
import { BuildArtifacts } from './artifacts/BuildArtifacts.ts';
import type { Build } from './builds/Build.ts';
import { Artifacts } from './artifacts/Artifacts.ts';
import { removeAbandoned } from './artifacts/removeAbandoned.ts';
import { FolderCaches } from './caches/FolderCaches.ts';
import { buildServerConfig, type Kit } from './config.ts';
import { rewriteUrl } from './jenkins/urls.ts';
import { setUpExecution } from './execution/setUpExecution.ts';
import type { Worker } from './execution/Worker.ts';
import { JobCatalog } from './jobs/JobCatalog.ts';
import { keepJobsFresh } from './jobs/keepJobsFresh.ts';
import { Samples } from './samples/Samples.ts';
import { JobFolder } from './jobs/JobFolder.ts';
import { BuildLogs } from './logs/BuildLogs.ts';
import { observeBuilds } from './observeBuilds.ts';
import { reportBuilds } from './reporting/reportBuilds.ts';
import { setUpMail } from './reporting/setUpMail.ts';
import { tellPeople } from './reporting/tellPeople.ts';
import { tellForges } from './reporting/tellForges.ts';
import { startDiscarding } from './retention/startDiscarding.ts';
import { setUpRoutes } from './setUpRoutes.ts';
import { ManagedSecrets } from './secrets/ManagedSecrets.ts';
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
import { TestStore } from './storage/TestStore.ts';
import { SkipStore } from './storage/SkipStore.ts';
import { downstreamOf } from './triggers/Downstream.ts';
import { BuildTriggers, TriggerLoad } from './triggers/BuildTriggers.ts';
import { Revisions } from './triggers/Revisions.ts';
import { startPolling } from './triggers/pollRepositories.ts';

const HOUR_MS = 3_600_000;

/** Sets up the service: storage, execution and routes. */
async function setUpService(kit: Kit): Promise<void> {
  const { config, root, database, now, logger } = kit;
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
  const { tellStatus, tellSkipped } = tellForges(kit, {
    jobs,
    store: new BuildReader({ database }),
  });
  const tellEnd = [
    reportBuilds(kit, { jobs }),
    tellStatus,
    tellPeople(kit, { jobs }),
    setUpMail(kit, { jobs }),
  ];
  /** Looks for builds to start, once the worker exists. */
  let wake = () => {};
  /** Cancels what the end of a build has made obsolete, once there are triggers. */
  let supersede: (ended: Build) => void = () => {};
  /** Offers to start builds as they are queued, once the worker has started. */
  let offer: Worker['offer'] = () => undefined;
  const logs = new BuildLogs({
    directory: path.join(dataDirectory, 'logs'),
    maxBytes: config.logs.maxBytes,
  });
  const tests = new TestStore(database);
  const gates = new GateStore({ database, now });
  const store = new BuildStore({
    database,
    onQueued: tellStatus,
    onTests: (trx, build, cases) => tests.record(trx, build, cases),
    async onFinished(trx, build) {
      const { id, result, reason } = build;
      if (build.worker === null && build.attempt > 0) {
        // It was queued again after it had run, so no process completes its log.
        await logs.conclude(id, { result: result ?? 'ABORTED', reason });
      }
      for (const tell of tellEnd) {
        await tell(trx, build);
      }
      // In the same transaction as the end of the build, so that none is lost or queued twice.
      await enqueueBuilds(trx, downstreamOf(build, { jobs, now }));
    },
    offer: jobNames => offer(jobNames),
    afterRequeued: () => wake(),
    afterFinished(build) {
      observer.ended(build);
      wake();
      supersede(build);
    },
  });
  await store.registerJobs(
    jobs.all().map(({ name }) => name),
    now(),
  );
  const skips = new SkipStore(database);
  const revisions = new Revisions({
    ...{ jobs, skips, now, tellSkipped },
    branches: new BranchStore(database),
    builds: store,
    secrets: stepSecrets,
    ...{ git: config.git, path: config.path },
  });
  await revisions.refresh();
  const disabled = new DisabledJobStore(database);
  jobs.replaceDisabled(await disabled.list());
  observer.watch(store);
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
    everyMs: HOUR_MS,
    async work() {
      await caches.prune();
      await removeAbandoned(path.join(dataDirectory, 'artifacts'), now());
    },
  });
  const jobArtifacts = new BuildArtifacts({ store, jobs, artifacts });
  const sampleStore = new SampleStore(database);
  const samples = new Samples({
    store: sampleStore,
    catalog: jobs,
    logs,
    artifacts,
    register: names => store.registerJobs(names, now()),
  });
  await samples.refresh();
  const discard = startDiscarding(kit, { jobs, logs, artifacts });

  const load = new TriggerLoad();
  const { isolation, labels, probeImages, agents, desk, worker } =
    await setUpExecution(kit, {
      ...{ directory, rules, load, observer, discard },
      ...{ store, jobs, logs, artifacts, gates, caches, jobArtifacts },
      ...{ stepSecrets, managedSecrets },
    });
  wake = () => {
    worker.wake();
    desk.wake();
  };
  const triggers = new BuildTriggers({
    ...{ store, jobs, skips, load, now },
    worker: {
      wake,
      stopBuild: (id, by) => worker.stopBuild(id, by),
    },
  });
  supersede = ended =>
    void triggers
      .supersedeDownstream(ended)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'Obsolete builds were not cancelled'),
      );
  keepJobsFresh(kit, {
    ...{ folder, samples, revisions, disabled, jobs, store, triggers },
    secrets: managedSecrets,
  });
  startPolling(kit, {
    ...{ jobs, revisions, store, triggers },
    secrets: stepSecrets,
  });
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
  setUpRoutes(kit, {
    jobs,
    folder,
    ...{ samples, sampleStore, managedSecrets, dataDirectory },
    async applySecrets() {
      await managedSecrets.refresh();
      folder.forget();
      await folder.refresh();
      wake();
    },
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
    revisions,
    disabled,
    triggers,
    labels,
    wake,
  });
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
