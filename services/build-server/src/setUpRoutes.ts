import path from 'node:path';
import {
  type Access,
  administrationRoute,
  auditAdministration,
  entityRoutes,
} from '@slipway/service-kit';
import type { Permissions } from './access/Permissions.ts';
import { reportBuildServer } from './administration.ts';
import { agentAdminRoutes } from './agents/adminRoutes.ts';
import type { AgentDesk } from './agents/AgentDesk.ts';
import { agentFileRoutes } from './agents/agentFileRoutes.ts';
import { agentRoutes } from './agents/agentRoutes.ts';
import type { Approvals } from './approvals/Approvals.ts';
import { approvalRoutes } from './approvals/routes.ts';
import type { Artifacts } from './artifacts/Artifacts.ts';
import type { Kit } from './config.ts';
import { buildsPart } from './entities/buildsPart.ts';
import type { Worker } from './execution/Worker.ts';
import type { ExecutorStatus } from './execution/Executor.ts';
import type { ProbeImages } from './execution/openExecutor.ts';
import type { JobCatalog } from './jobs/JobCatalog.ts';
import type { JobFolder } from './jobs/JobFolder.ts';
import type { BuildLogs } from './logs/BuildLogs.ts';
import { sampleRoutes } from './samples/routes.ts';
import type { Samples } from './samples/Samples.ts';
import { keepRoutes } from './retention/keepRoutes.ts';
import type { ManagedSecrets } from './secrets/ManagedSecrets.ts';
import { secretRoutes } from './secrets/routes.ts';
import { AboutStore } from './storage/AboutStore.ts';
import type { AgentStore } from './storage/AgentStore.ts';
import type { BuildStore } from './storage/BuildStore.ts';
import type { DisabledJobStore } from './storage/DisabledJobStore.ts';
import { DiscardStore } from './storage/DiscardStore.ts';
import { JobHistory } from './storage/JobHistory.ts';
import type { SampleStore } from './storage/SampleStore.ts';
import type { TestStore } from './storage/TestStore.ts';
import { SkipStore } from './storage/SkipStore.ts';
import { UsageStore } from './storage/UsageStore.ts';
import { testRoutes } from './testHistory/routes.ts';
import { buildRoutes } from './triggers/buildRoutes.ts';
import type { BuildTriggers } from './triggers/BuildTriggers.ts';
import { rebuildRoutes } from './triggers/rebuildRoutes.ts';
import type { Revisions } from './triggers/Revisions.ts';
import { WebhookIntake } from './triggers/WebhookIntake.ts';
import { webhookRoutes } from './triggers/webhookRoutes.ts';
import { DiskUsage } from './usage/DiskUsage.ts';
import { usageRoutes } from './usage/routes.ts';
import { aboutRoutes } from './jenkins/aboutRoutes.ts';
import { badgeRoutes } from './jenkins/badgeRoutes.ts';
import { artifactRoutes } from './jenkins/artifactRoutes.ts';
import { buildInfoRoutes } from './jenkins/buildInfoRoutes.ts';
import { BuildLookup } from './jenkins/BuildLookup.ts';
import { configRoutes } from './jenkins/configRoutes.ts';
import { jobRoutes } from './jenkins/jobRoutes.ts';
import { jobStateRoutes } from './jenkins/jobStateRoutes.ts';
import { logRoutes } from './jenkins/logRoutes.ts';
import { logViewRoutes } from './jenkins/logViewRoutes.ts';
import { nodeRoutes } from './jenkins/nodeRoutes.ts';
import { portalPages } from './jenkins/portalPages.ts';
import { queueRoutes } from './jenkins/queueRoutes.ts';
import { serverRoutes } from './jenkins/serverRoutes.ts';
import { stageRoutes } from './jenkins/stageRoutes.ts';

/** The Jenkins API version whose response shapes clients may expect. */
const API_VERSION = '2.500';

/** Registers all routes of the service. */
export function setUpRoutes(
  kit: Kit,
  parts: {
    jobs: JobCatalog;
    folder: Pick<JobFolder, 'text'>;
    store: BuildStore;
    logs: BuildLogs;
    artifacts: Artifacts;
    secrets: ReadonlyMap<string, string>;
    isolation: ExecutorStatus;
    probeImages: ProbeImages;
    permissions: Permissions;
    approvals: Approvals;
    tests: TestStore;
    triggers: BuildTriggers;
    revisions: Revisions;
    disabled: DisabledJobStore;
    samples: Samples;
    sampleStore: SampleStore;
    managedSecrets: ManagedSecrets;
    /** Reloads the secrets after an admin has changed them. */
    applySecrets(): Promise<void>;
    /** Absolute; contains the files of builds. */
    dataDirectory: string;
    /** Labels that this process provides to jobs. */
    labels: ReadonlySet<string>;
    /** Looks for builds to start. */
    wake: () => void;
    worker: Pick<Worker, 'stopBuild'>;
    agents: {
      agents: AgentStore;
      desk: AgentDesk;
      access: Access;
      leaseMs: number;
    };
  },
): void {
  const { app, auth, config, database, now } = kit;
  const { jobs, permissions, dataDirectory } = parts;
  const lookup = new BuildLookup(parts);
  const shared = { ...parts, lookup, addresses: config, now };
  const history = new JobHistory(kit);
  auditAdministration(kit, { access: permissions.admin });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-jenkins', API_VERSION);
  });
  // Clients show this header instead of the body of an error.
  app.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode >= 400 && typeof payload === 'string') {
      const { message } = JSON.parse(payload) as { message?: string };
      reply.header('x-error', headerText(message ?? ''));
    }
  });
  portalPages(app, { anyone: auth.anyone, appUrl: kit.portal.appUrl });
  webhookRoutes(app, {
    access: auth.anyone,
    intake: new WebhookIntake(parts),
    addresses: config,
  });
  buildRoutes(app, shared);
  rebuildRoutes(app, shared);
  approvalRoutes(app, shared);
  testRoutes(app, shared);
  jobRoutes(app, {
    ...shared,
    skipStore: new SkipStore(database),
    discardOldBuilds: config.discardOldBuilds,
    maxKeptBuilds: config.maxKeptBuilds,
  });
  const discard = new DiscardStore(database);
  jobStateRoutes(app, { ...shared, discard });
  keepRoutes(app, {
    ...shared,
    discard,
    maxKeptBuilds: config.maxKeptBuilds,
  });
  aboutRoutes(app, { ...shared, about: new AboutStore(database) });
  configRoutes(app, shared);
  buildInfoRoutes(app, { ...shared, history });
  queueRoutes(app, shared);
  logRoutes(app, shared);
  logViewRoutes(app, shared);
  artifactRoutes(app, shared);
  badgeRoutes(app, { ...shared, anyone: auth.anyone });
  stageRoutes(app, shared);
  agentRoutes(app, {
    ...parts.agents,
    anyone: auth.anyone,
    now,
  });
  agentFileRoutes(app, {
    ...parts.agents,
    reports: parts.agents.desk.reports,
    artifactBytes: config.artifacts.maxBytes,
    cacheBytes: config.caches.maxBytes,
  });
  agentAdminRoutes(app, { ...shared, ...parts.agents });
  serverRoutes(app, { ...shared, anyone: auth.anyone });
  nodeRoutes(app, {
    ...shared,
    agents: parts.agents.agents,
    executors: config.executors,
  });
  sampleRoutes(app, {
    access: permissions.admin,
    samples: parts.samples,
    store: parts.sampleStore,
  });
  usageRoutes(app, {
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
  secretRoutes(app, {
    permissions,
    secrets: parts.managedSecrets,
    apply: () => parts.applySecrets(),
  });
  administrationRoute(kit, {
    access: permissions.admin,
    report: () =>
      reportBuildServer(kit, {
        ...{ jobs, history },
        agents: parts.agents.agents,
      }),
  });
  entityRoutes(app, {
    access: auth.portalUser(),
    part: buildsPart({
      ...{ jobs, history },
      toDecide: user => parts.approvals.listFor(user),
      now,
    }),
    portal: { baseUrl: kit.portal.baseUrl, token: config.portalToken },
    now,
  });
}

/**
 * Encodes a text for a header: ASCII on one line. Clients replace every question mark
 * with a quotation mark.
 */
function headerText(text: string): string {
  return text
    .replace(/[^\x20-\x7e]/g, ' ')
    .replaceAll('?', '.')
    .slice(0, 300);
}
