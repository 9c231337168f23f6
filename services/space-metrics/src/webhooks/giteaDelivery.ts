import type { DeliveryReader, ForgeActivity } from './ForgeActivity.ts';
import {
  humanLogin,
  readComment,
  readMerge,
  readPush,
} from './githubDelivery.ts';
import { readGithub } from './payloads.ts';

/** Gitea and Forgejo, whose payloads follow GitHub's but for reviews. */
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
      return readReview(payload);
    default:
      return [];
  }
};

/** The name pull_request_comment stands for either, from version to version. */
function readCommentOrReview(payload: unknown): ForgeActivity[] {
  const hasReview =
    typeof payload === 'object' &&
    payload !== null &&
    'review' in payload &&
    payload.review !== null;
  return hasReview ? readReview(payload) : readComment(payload);
}

function readReview(payload: unknown): ForgeActivity[] {
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
