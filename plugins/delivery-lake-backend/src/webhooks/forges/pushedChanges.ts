import { z } from 'zod';
import { ignoring, MappedDelivery, meaning } from '../MappedDelivery';
import { shortened } from '../payload/text';
import { timestamp } from '../payload/timestamp';

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
