import { NAMESPACE } from '../organisation/organisation';
import type { PlatformClient } from '../platform/PlatformClient';
import type { ServiceHistory } from '../story/ServiceHistory';
import type { Story } from '../story/Story';
import { iso } from '../story/time';
import { type DemoPart, inBatches, waitUntil } from './DemoPart';

/** The demo's name as a sender of the lake. */
const SOURCE = 'demo';
const BATCH = 1_000;
/**
 * The lake reads the catalog every 30 s, and does not know the teams and systems of services
 * before.
 */
const OWNERS_TIMEOUT_MS = 45_000;

type Items = Record<'changes' | 'deployments' | 'incidents', object[]>;

/** Commits, deployments and incidents in the delivery lake. */
export const deliveryPart: DemoPart = {
  id: 'delivery-lake',
  title: 'Delivery',
  writes: '180 days of commits, deployments and incidents of these components',

  async load({ platform, story, appUrl, onProgress }) {
    const items = itemsOf(story, appUrl);
    const total = Object.values(items).flat().length;
    let before = 0;
    for (const kind of ['changes', 'deployments', 'incidents'] as const) {
      const done = before;
      await inBatches(items[kind], BATCH, {
        send: async batch => {
          const { rejected, results } = await platform.plugin<{
            rejected: number;
            results: { error?: string }[];
          }>('delivery-lake', {
            method: 'POST',
            path: `/${kind}`,
            body: batch,
          });
          if (rejected > 0) {
            const error = results.find(result => result.error)?.error;
            throw new Error(`${rejected} ${kind} were rejected: ${error}`);
          }
        },
        onProgress: sent => onProgress(done + sent, total),
      });
      before += items[kind].length;
    }
    await waitUntil(() => hasOwners(platform, story), OWNERS_TIMEOUT_MS);
  },

  async remove({ platform, onProgress }) {
    await platform.plugin('delivery-lake', {
      method: 'DELETE',
      path: `/namespaces/${NAMESPACE}`,
    });
    onProgress(1, 1);
  },
};

/** Checks whether the lake knows a deployed service as a component of the catalog. */
async function hasOwners(
  platform: PlatformClient,
  { histories }: Story,
): Promise<boolean> {
  const deployed = histories.find(({ deployments }) => deployments.length > 0);
  if (!deployed) {
    return true;
  }
  const ref = encodeURIComponent(`component:${deployed.service.lakeName}`);
  const { facts = [] } = await platform.plugin<{ facts?: { id: string }[] }>(
    'delivery-lake',
    {
      method: 'GET',
      path: `/entities/${ref}/summary`,
      // The catalog does not have it yet.
      accepted: [404],
    },
  );
  return facts.some(({ id }) => id.startsWith('runs:'));
}

/** Returns the story as items for the lake. */
function itemsOf({ histories }: Story, appUrl: string): Items {
  return {
    changes: histories.flatMap(changesOf),
    deployments: histories.flatMap(history => deploymentsOf(history, appUrl)),
    incidents: histories.flatMap(incidentsOf),
  };
}

function changesOf({ service, commits }: ServiceHistory): object[] {
  return commits.map(commit => ({
    source: SOURCE,
    repository: service.repository,
    sha: commit.sha,
    message: commit.message,
    author: commit.author.displayName,
    committedAt: iso(commit.committedAt),
    landedAt: iso(commit.landedAt),
  }));
}

function deploymentsOf(
  { service, deployments }: ServiceHistory,
  appUrl: string,
): object[] {
  return deployments.map(
    ({ id, version, build, head, rollbackOf, unplanned }) => ({
      source: SOURCE,
      id,
      service: service.lakeName,
      environment: 'prod',
      status: build.failure ? 'FAILURE' : 'SUCCESS',
      version,
      startedAt: iso(build.startedAt),
      finishedAt: iso(build.finishedAt),
      triggeredBy: build.by.ref,
      repository: service.repository,
      commit: { sha: head.sha, message: head.message },
      url: `${appUrl}/builds/${service.job}/${build.number}`,
      ...(rollbackOf && { rollbackOf }),
      ...(unplanned && { unplanned }),
    }),
  );
}

function incidentsOf({ service, incidents }: ServiceHistory): object[] {
  return incidents.map(
    ({ id, title, severity, startedAt, resolvedAt, deployment }) => ({
      source: SOURCE,
      id,
      service: service.lakeName,
      environment: 'prod',
      title,
      severity,
      startedAt: iso(startedAt),
      ...(resolvedAt !== null && { resolvedAt: iso(resolvedAt) }),
      deployment: { source: SOURCE, externalId: deployment },
    }),
  );
}
