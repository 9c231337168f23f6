import {
  type DeliveryReader,
  type ForgeActivity,
  activityOfCommits,
  isDefaultBranch,
} from './ForgeActivity.ts';
import { readGithub } from './payloads.ts';

/** Reads GitHub's pushes, merged pull requests, reviews and comments on pull requests. */
export const readGithubDelivery: DeliveryReader = ({ event, payload }) => {
  switch (event) {
    case 'push':
      return readPush(payload);
    case 'pull_request':
      return readMerge(payload);
    case 'issue_comment':
    case 'pull_request_review_comment':
      return readComment(payload);
    case 'pull_request_review':
      return readReview(payload);
    default:
      return [];
  }
};

/**
 * Reads commits pushed to the default branch, or to any branch if the payload does not name the
 * default one. Gitea sends pushes in the same format.
 *
 * @throws InvalidRequestError if the payload is not a push.
 */
function readPush(payload: unknown): ForgeActivity[] {
  const { ref, repository, commits } = readGithub.push(payload);
  return isDefaultBranch(ref, repository.default_branch ?? undefined)
    ? activityOfCommits(commits)
    : [];
}

/**
 * Reads a merged pull request, attributed to its author; returns nothing for other actions. Gitea
 * sends the same format.
 *
 * @throws InvalidRequestError if the payload is not that of a pull request.
 */
function readMerge(payload: unknown): ForgeActivity[] {
  const {
    action,
    repository,
    pull_request: pull,
  } = readGithub.pullRequest(payload);
  return action === 'closed' && pull.merged
    ? [
        {
          id: `merge:${repository.full_name}!${pull.number}`,
          kind: 'pull_request_merged',
          at: pull.merged_at ?? undefined,
          author: { login: humanLogin(pull.user) },
        },
      ]
    : [];
}

/** Reads a comment on a pull request; comments on issues arrive as the same event. */
function readComment(payload: unknown): ForgeActivity[] {
  const { action, repository, issue, is_pull, comment } =
    readGithub.comment(payload);
  const isOnPull = !issue || Boolean(issue.pull_request) || is_pull === true;
  return action === 'created' && isOnPull
    ? [
        {
          id: `comment:${repository.full_name}#${comment.id}`,
          kind: 'pull_request_comment',
          at: comment.created_at ?? undefined,
          author: { login: humanLogin(comment.user) },
        },
      ]
    : [];
}

/**
 * Reads a review. A review without text or verdict only contains comments, which are sent
 * separately.
 */
function readReview(payload: unknown): ForgeActivity[] {
  const { action, repository, review } = readGithub.review(payload);
  const says = Boolean(review.body) || review.state !== 'commented';
  return action === 'submitted' && says
    ? [
        {
          id: `review:${repository.full_name}#${review.id}`,
          kind: 'review',
          at: review.submitted_at ?? undefined,
          author: { login: humanLogin(review.user) },
        },
      ]
    : [];
}

/** Returns the login, marked as that of a bot if the forge says so. */
function humanLogin({
  login,
  type,
}: {
  login: string;
  type?: string | null;
}): string {
  return type === 'Bot' && !login.endsWith('[bot]') ? `${login}[bot]` : login;
}

/** Reads deliveries of Gitea and Forgejo, whose payloads follow GitHub's except for reviews. */
export const readGiteaDelivery: DeliveryReader = ({ event, payload }) => {
  switch (event) {
    case 'push':
      return readPush(payload);
    case 'pull_request':
      return readMerge(payload);
    case 'issue_comment':
    case 'pull_request_comment':
      return readCommentOrReview(payload);
    case 'pull_request_approved':
    case 'pull_request_rejected':
    case 'pull_request_review_approved':
    case 'pull_request_review_rejected':
    case 'pull_request_review_comment':
      return readGiteaReview(payload);
    default:
      return [];
  }
};

/** Reads a `pull_request_comment`, which is a comment or a review, depending on the version. */
function readCommentOrReview(payload: unknown): ForgeActivity[] {
  const hasReview =
    typeof payload === 'object' &&
    payload !== null &&
    'review' in payload &&
    payload.review !== null;
  return hasReview ? readGiteaReview(payload) : readComment(payload);
}

function readGiteaReview(payload: unknown): ForgeActivity[] {
  const {
    repository,
    sender,
    pull_request: pull,
    review,
  } = readGithub.giteaReview(payload);
  const verdict = review.type ?? 'review';
  return [
    {
      id: `review:${repository.full_name}!${pull.number}:${sender.login}:${
        pull.head?.sha ?? ''
      }:${verdict}`,
      kind: 'review',
      author: { login: humanLogin(sender) },
    },
  ];
}
