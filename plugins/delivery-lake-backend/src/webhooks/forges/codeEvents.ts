import { Forge } from '@slipway/platform-guards';
import { z } from 'zod';
import { ForgeConfig } from '../../config';
import { CommitFields } from '../../events/LakeEvent';
import {
  ignoring,
  MappedDelivery,
  accepting,
  shortened,
  timestamp,
} from '../payload';

/**
 * Returns the change that a merged pull or merge request made on the deployed branch. Only the push
 * event has its commit time.
 */
export function mergedChange(merge: {
  source: string;
  repository: string;
  /** The name in the reason if it is ignored, such as `pull request 12`. */
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
  return accepting({
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

/** A commit in a push event of GitHub, GitLab, Gitea and Forgejo. */
export const pushedCommit = z.object({
  id: z.string().min(1),
  message: z.string(),
  timestamp,
  url: z.string().nullish(),
  author: z.object({ name: z.string() }).nullish(),
});

const BRANCH = 'refs/heads/';

/** The null commit of a deleted branch. */
const NO_COMMIT = /^0+$/;

/**
 * Sorts commits oldest first. GitHub and GitLab send them in this order, Gitea and Forgejo
 * in reverse; the push names the last commit.
 */
function oldestFirst<T extends { id: string }>(
  commits: T[],
  last: string,
): T[] {
  return commits[0]?.id === last ? [...commits].reverse() : commits;
}

/**
 * Returns the changes that a push added to the deployed branch, including merge commits, which are
 * the commits that get deployed. Other branches are ignored.
 *
 * @param push.pushedAt - in milliseconds; default: the time of the newest commit.
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
  return accepting(
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
 * Maps a published release to a production deployment if `deliveryLake.webhooks.<forge>.releases`
 * is configured accordingly. Its commit is only set if the forge names a commit rather than a
 * branch.
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
  return accepting({
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

/** Returns the value of a field that contains a branch or a SHA, if it is a full SHA. */
export function shaIn(
  commitish: string | null | undefined,
): string | undefined {
  return commitish && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commitish)
    ? commitish
    : undefined;
}
