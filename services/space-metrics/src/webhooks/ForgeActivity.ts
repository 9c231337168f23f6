import type { Kind } from '../activity/ActivityEvent.ts';

/** What a delivery of a forge tells, in the words of no particular forge. */
export interface ForgeActivity {
  /** Unique within the forge, whatever delivery tells it. */
  readonly id: string;
  readonly kind: Kind;
  /** ISO 8601; a delivery without a usable time is of now. */
  readonly at?: string;
  readonly author: { login?: string; email?: string };
}

/** A delivery, its signature checked. */
export interface ForgeDelivery {
  /** Name of the event, from its header. */
  readonly event: string;
  readonly payload: unknown;
}

/**
 * Reads what a delivery tells; nothing for events that do not matter here.
 *
 * @throws InvalidRequestError when a known event has another shape.
 */
export type DeliveryReader = (delivery: ForgeDelivery) => ForgeActivity[];

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

const BOT_LOGINS =
  /\[bot\]$|^(?:dependabot|renovate|greenkeeper|snyk|github-actions|codecov|mergify)(?:-(?:bot|preview))?$|^(?:project|group)_\d+_bot|(?:^|-)bot$/i;

const BOT_ADDRESSES =
  /\[bot\]@|^(?:noreply|no-reply|bot)@|^(?:project|group)_?\d+_bot/i;

/**
 * Whether an account is a machine's: by the names that forges and common tools give
 * theirs, and by the configured ones.
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
