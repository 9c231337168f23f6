import type { Kind } from '../activity/ActivityEvent.ts';

/** An activity reported by a forge, in a format that does not depend on the forge. */
export interface ForgeActivity {
  /** Unique within the forge, and the same in all deliveries that report the activity. */
  readonly id: string;
  readonly kind: Kind;
  /** ISO 8601; an invalid time is treated as now. */
  readonly at?: string;
  readonly author: { login?: string; email?: string };
}

/** A delivery with a verified signature. */
export interface ForgeDelivery {
  /** Name of the event, from its header. */
  readonly event: string;
  readonly payload: unknown;
}

/**
 * Returns the activities in a delivery; none for irrelevant events.
 *
 * @throws InvalidRequestError if a known event has another shape.
 */
export type DeliveryReader = (delivery: ForgeDelivery) => ForgeActivity[];

/** A commit in a push, in the format that all forges share. */
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

/** Matches paths of documentation, including TechDocs. */
const DOCUMENTATION =
  /(?:^|\/)(?:docs?|documentation)\/|\.(?:md|mdx|rst|adoc)$|(?:^|\/)mkdocs\.ya?ml$/i;

/**
 * Returns the activities of a push's commits. Merge commits do not count as work; a commit that
 * changes documentation also counts as a documentation update. A commit is identified by its hash,
 * so that it counts once, even if several pushes and repositories contain it.
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
 * Returns whether a push is to the default branch. On other branches, work would count again each
 * time it is rebased or squashed.
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

const BOT_LOGINS =
  /\[bot\]$|^(?:dependabot|renovate|greenkeeper|snyk|github-actions|codecov|mergify)(?:-(?:bot|preview))?$|^(?:project|group)_\d+_bot|(?:^|-)bot$/i;

const BOT_ADDRESSES =
  /\[bot\]@|^(?:noreply|no-reply|bot)@|^(?:project|group)_?\d+_bot/i;

/**
 * Returns whether an account is a bot: by the names that forges and common tools use, and by the
 * configured names.
 */
export function isBot(
  author: { login?: string; email?: string },
  options: { bots: readonly string[] },
): boolean {
  const { login, email } = author;
  const names = [login, email].flatMap(name => name?.toLowerCase() ?? []);
  return (
    (login !== undefined && BOT_LOGINS.test(login)) ||
    (email !== undefined && BOT_ADDRESSES.test(email)) ||
    options.bots.some(bot => names.includes(bot.toLowerCase()))
  );
}
