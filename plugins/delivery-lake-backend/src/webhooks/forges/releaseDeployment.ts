import { Forge } from '@slipway/forge-webhooks';
import { ForgeConfig } from '../../config';
import { CommitFields } from '../../events/LakeEvent';
import { ignoring, MappedDelivery, meaning } from '../MappedDelivery';
import { shortened } from '../payload/text';

/**
 * A published release: a production deployment where
 * `deliveryLake.webhooks.<forge>.releases` says so. Its commit is named only
 * where the forge names one; a branch is none.
 */
export function releaseDeployment(release: {
  source: Forge;
  forge: ForgeConfig;
  repository: string;
  id: string;
  tag: string;
  publishedAt: number;
  triggeredBy?: string;
  commit?: CommitFields;
  url?: string;
}): MappedDelivery {
  const { source, forge, repository, publishedAt, commit } = release;
  if (forge.releases === 'ignore') {
    return ignoring(
      `Release ${release.tag} is no deployment: deliveryLake.webhooks.${source}.releases is ignore`,
    );
  }
  return meaning({
    kind: 'deployment',
    source,
    externalId: `release-${release.id}`,
    occurredAt: publishedAt,
    service: repository,
    environment: 'prod',
    status: 'SUCCESS',
    startedAt: publishedAt,
    finishedAt: publishedAt,
    version: release.tag,
    triggeredBy: release.triggeredBy,
    repository,
    commit: commit && {
      ...commit,
      message: commit.message && shortened(commit.message),
    },
    url: release.url,
  });
}

/** The SHA in a field that holds a branch or a SHA. */
export function shaIn(
  commitish: string | null | undefined,
): string | undefined {
  return commitish && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commitish)
    ? commitish
    : undefined;
}
