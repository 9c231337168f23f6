import { Forge } from '@slipway/platform-guards';
import { z } from 'zod';
import { ForgeConfig } from '../../config';
import { CommitFields } from '../../events/LakeEvent';
import {
  ignoring,
  MappedDelivery,
  meaning,
  shortened,
  timestamp,
} from '../payload';

/**
 * The change that a merged pull or merge request left on the branch that is
 * deployed. When it was committed the forges do not say here: the push does.
 */
export function mergedChange(merge: {
  source: string;
  repository: string;
  /** `pull request 12`, for the reason when it brings nothing. */
  name: string;
  targetBranch: string;
  defaultBranch: string;
  sha: string | undefined;
  mergedAt: number;
  title: string;
  author?: string;
  url?: string;
}): MappedDelivery {
  const { source, repository, sha, mergedAt } = merge;
  if (merge.targetBranch !== merge.defaultBranch) {
    return ignoring(
      `${merge.name} was merged into ${merge.targetBranch}; ${repository} is deployed from ${merge.defaultBranch}`,
    );
  }
  if (!sha) {
    return ignoring(`${merge.name} was merged without naming its commit`);
  }
  return meaning({
    kind: 'change',
    source,
    externalId: sha,
    occurredAt: mergedAt,
    repository,
    sha,
    message: shortened(merge.title),
    author: merge.author,
    landedAt: mergedAt,
    url: merge.url,
  });
}

/** A commit as GitHub, GitLab, Gitea and Forgejo alike give it in a push. */
export const pushedCommit = z.object({
  id: z.string().min(1),
  message: z.string(),
  timestamp,
  url: z.string().nullish(),
  author: z.object({ name: z.string() }).nullish(),
});

const BRANCH = 'refs/heads/';

/** A commit on no branch: the branch was deleted. */
const NO_COMMIT = /^0+$/;

/**
 * Brings commits into the order in which the branch holds them, oldest first.
 * GitHub and GitLab give them so, Gitea and Forgejo the other way round; the
 * push names the commit that is last.
 */
function oldestFirst<T extends { id: string }>(
  commits: T[],
  last: string,
): T[] {
  return commits[0]?.id === last ? [...commits].reverse() : commits;
}

/**
 * The changes that a push brought to the branch that is deployed. Merge commits
 * among them: they are what is deployed. Other branches bring nothing.
 *
 * @param push.pushedAt - when, in milliseconds; where the forge does not say, the
 *   newest commit of the push is as late as is known.
 */
export function pushedChanges(push: {
  source: string;
  repository: string;
  ref: string;
  defaultBranch: string;
  after: string;
  commits: z.output<typeof pushedCommit>[];
  pushedAt?: number;
}): MappedDelivery {
  const { source, repository, ref, defaultBranch, after } = push;
  if (ref !== `${BRANCH}${defaultBranch}`) {
    const name = ref.startsWith(BRANCH) ? ref.slice(BRANCH.length) : ref;
    return ignoring(
      `A push to ${name}; ${repository} is deployed from ${defaultBranch}`,
    );
  }
  if (NO_COMMIT.test(after) || push.commits.length === 0) {
    return ignoring('A push without commits');
  }
  const commits = oldestFirst(push.commits, after);
  const landedAt =
    push.pushedAt ?? Math.max(...commits.map(commit => commit.timestamp));
  return meaning(
    ...commits.map((commit, sequence) => ({
      kind: 'change' as const,
      source,
      externalId: commit.id,
      occurredAt: landedAt,
      repository,
      sha: commit.id,
      message: shortened(commit.message),
      author: commit.author?.name,
      committedAt: commit.timestamp,
      landedAt,
      sequence,
      url: commit.url ?? undefined,
    })),
  );
}

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
      `Release ${release.tag} is not a deployment: deliveryLake.webhooks.${source}.releases is ignore`,
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
