import { entityRoutes } from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { Kit } from '../config.ts';
import { buildsPart } from '../entities/buildsPart.ts';
import type { Worker } from '../execution/Worker.ts';
import type { IsolationStatus } from '../isolation/Isolation.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import { JobHistory } from '../storage/JobHistory.ts';
import type { Branches } from '../triggers/Branches.ts';
import { buildRoutes } from '../triggers/buildRoutes.ts';
import type { BuildTriggers } from '../triggers/BuildTriggers.ts';
import { rebuildRoutes } from '../triggers/rebuildRoutes.ts';
import { WebhookIntake } from '../triggers/WebhookIntake.ts';
import { webhookRoutes } from '../triggers/webhookRoutes.ts';
import { artifactRoutes } from './artifactRoutes.ts';
import { buildInfoRoutes } from './buildInfoRoutes.ts';
import { BuildLookup } from './BuildLookup.ts';
import { jobRoutes } from './jobRoutes.ts';
import { logRoutes } from './logRoutes.ts';
import { queueRoutes } from './queueRoutes.ts';
import { serverRoutes } from './serverRoutes.ts';
import { stageRoutes } from './stageRoutes.ts';

/** The version of Jenkins' API that clients may expect the shapes of. */
const API_VERSION = '2.500';

/** Everything that is asked of the service. */
export function setUpRoutes(
  kit: Kit,
  parts: {
    jobs: JobCatalog;
    store: BuildStore;
    logs: BuildLogs;
    artifacts: Artifacts;
    secrets: ReadonlyMap<string, string>;
    isolation: IsolationStatus;
    permissions: Permissions;
    triggers: BuildTriggers;
    branches: Branches;
    worker: Pick<Worker, 'stopBuild'>;
  },
): void {
  const { app, auth, config, now } = kit;
  const lookup = new BuildLookup(parts);
  const shared = { ...parts, lookup, addresses: config, now };
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-jenkins', API_VERSION);
  });
  // Clients show this header and not the body of an error.
  app.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode >= 400 && typeof payload === 'string') {
      const { message } = JSON.parse(payload) as { message?: string };
      reply.header('x-error', headerText(message ?? ''));
    }
  });
  webhookRoutes(app, {
    access: auth.anyone,
    intake: new WebhookIntake(parts),
    addresses: config,
  });
  buildRoutes(app, shared);
  rebuildRoutes(app, shared);
  jobRoutes(app, { ...shared, discardOldBuilds: config.discardOldBuilds });
  buildInfoRoutes(app, shared);
  queueRoutes(app, shared);
  logRoutes(app, shared);
  artifactRoutes(app, shared);
  stageRoutes(app, shared);
  serverRoutes(app, {
    ...shared,
    anyone: auth.anyone,
    executors: config.executors,
  });
  entityRoutes(app, {
    access: auth.portalUser(),
    part: buildsPart({ history: new JobHistory(kit), now }),
    portal: { baseUrl: kit.portal.baseUrl, token: config.portalToken },
    now,
  });
}

/** Clients turn every question mark into a quotation mark; headers hold ASCII on one line. */
function headerText(text: string): string {
  return text
    .replace(/[^\x20-\x7e]/g, ' ')
    .replaceAll('?', '.')
    .slice(0, 300);
}
