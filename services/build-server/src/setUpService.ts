import path from 'node:path';
import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import { Permissions } from './access/Permissions.ts';
import { BuildStopper } from './builds/BuildStopper.ts';
import { DatabaseBuildStore } from './builds/DatabaseBuildStore.ts';
import type { BuildServerConfig } from './config.ts';
import { setUpExecution } from './execution/setUpExecution.ts';
import { findRoot } from './findRoot.ts';
import { chooseIsolation } from './isolation/chooseIsolation.ts';
import { setUpRoutes } from './jenkins/setUpRoutes.ts';
import { JobCatalog } from './jobs/JobCatalog.ts';
import { readJobs } from './jobs/readJobs.ts';
import { BuildLogs } from './logs/BuildLogs.ts';
import { observeBuilds } from './observeBuilds.ts';
import { setUpReports } from './reporting/setUpReports.ts';
import { setUpRetention } from './retention/setUpRetention.ts';
import { StepSecrets } from './secrets/StepSecrets.ts';
import { BuildTriggers } from './triggers/BuildTriggers.ts';

/** What a service of this kind is given. */
export type Kit = ServiceKit<BuildServerConfig & CommonConfig>;

/** Puts the service together. */
export async function setUpService(kit: Kit): Promise<void> {
  const { config, database, now } = kit;
  const root = findRoot();
  const dataDirectory = path.resolve(root, config.dataDirectory);
  const secrets = new Map(Object.entries(config.secrets ?? {}));
  const stepSecrets = new StepSecrets(config.stepSecrets);
  const jobs = new JobCatalog(
    await readJobs(path.resolve(root, config.jobsDirectory), {
      secrets: new Set(secrets.keys()),
      stepSecrets,
    }),
  );
  const observer = observeBuilds(kit);
  const reports = setUpReports(kit, { jobs });
  const store = new DatabaseBuildStore({
    database,
    onFinished: (trx, build) => reports.tell(trx, build),
    afterFinished: build => observer.ended(build),
  });
  await store.registerJobs(jobs.all().map(({ name }) => name));
  const logs = new BuildLogs({
    directory: path.join(dataDirectory, 'logs'),
    maxBytes: config.logs.maxBytes,
  });
  const workDirectory = path.join(dataDirectory, 'work');
  const isolation = await chooseIsolation(config, {
    directory: workDirectory,
    isProduction: kit.isProduction,
    logger: kit.logger,
  });
  const worker = await setUpExecution(kit, {
    store,
    jobs,
    logs,
    secrets: stepSecrets,
    isolation,
    directory: workDirectory,
    onStarted: build => observer.started(build),
    onEnded: setUpRetention(kit, { jobs, logs }),
  });
  observer.watch(store);
  setUpRoutes(kit, {
    jobs,
    store,
    logs,
    secrets,
    isolation: isolation.status,
    permissions: new Permissions({
      auth: kit.auth,
      users: config.auth.users,
      triggerGroups: config.auth.triggerGroups,
      jobs,
    }),
    triggers: new BuildTriggers({ store, now, onQueued: () => worker.wake() }),
    stopper: new BuildStopper({
      store,
      now,
      onRequested: (id, by) => worker.interrupt(id, by),
    }),
  });
}
