import type { ForgeActivity } from './ForgeActivity.ts';

/** A commit as pushes of all forges tell it. */
export interface PushedCommit {
  id: string;
  message?: string;
  timestamp?: string;
  author?: {
    name?: string;
    email?: string | null;
    username?: string | null;
  } | null;
  added?: string[] | null;
  modified?: string[] | null;
  removed?: string[] | null;
}

const MERGE =
  /^Merge (?:branch|branches|pull request|remote-tracking branch|tag|commit|merge request)\b/;

/** Paths that hold documentation, TechDocs among them. */
const DOCUMENTATION =
  /(?:^|\/)(?:docs?|documentation)\/|\.(?:md|mdx|rst|adoc)$|(?:^|\/)mkdocs\.ya?ml$/i;

/**
 * What the commits of a push tell. Merge commits are nobody's work; a commit that
 * changes documentation is also an update of it. The hash of a commit names it, so
 * that it counts once, in whatever push and repository it comes again.
 */
export function activityOfCommits(
  commits: readonly PushedCommit[],
): ForgeActivity[] {
  return commits
    .filter(({ message = '' }) => !MERGE.test(message))
    .flatMap(commit => {
      const { id, timestamp, author } = commit;
      const common = {
        at: timestamp,
        author: {
          login: author?.username || undefined,
          email: author?.email || undefined,
        },
      };
      const paths = [commit.added, commit.modified, commit.removed].flatMap(
        list => list ?? [],
      );
      return [
        { id: `commit:${id}`, kind: 'commit' as const, ...common },
        ...(paths.some(path => DOCUMENTATION.test(path))
          ? [{ id: `docs:${id}`, kind: 'docs_update' as const, ...common }]
          : []),
      ];
    });
}

/**
 * Whether a push goes to the branch on which work ends up. Others would count work
 * again each time it is rebased or squashed.
 */
export function isDefaultBranch(
  ref: string,
  defaultBranch: string | undefined,
): boolean {
  return (
    ref.startsWith('refs/heads/') &&
    (!defaultBranch || ref === `refs/heads/${defaultBranch}`)
  );
}
