import {
  type DeliveryReader,
  type ForgeActivity,
  activityOfCommits,
  isDefaultBranch,
} from './ForgeActivity.ts';
import { readGitlab } from './payloads.ts';

/** Reads GitLab's pushes, merged and approved merge requests, and notes on merge requests. */
export const readGitlabDelivery: DeliveryReader = ({ event, payload }) => {
  switch (event) {
    case 'Push Hook':
      return readPush(payload);
    case 'Merge Request Hook':
      return readMergeRequest(payload);
    case 'Note Hook':
      return readNote(payload);
    default:
      return [];
  }
};

function readPush(payload: unknown): ForgeActivity[] {
  const { ref, project, commits } = readGitlab.push(payload);
  return isDefaultBranch(ref, project.default_branch ?? undefined)
    ? activityOfCommits(commits)
    : [];
}

function readMergeRequest(payload: unknown): ForgeActivity[] {
  const {
    project,
    user,
    object_attributes: request,
  } = readGitlab.mergeRequest(payload);
  const name = `${project.path_with_namespace}!${request.iid}`;
  if (request.action === 'merge') {
    // The payload names the person who merged; only the last commit names who did the work.
    const email = request.last_commit?.author?.email;
    return [
      {
        id: `merge:${name}`,
        kind: 'pull_request_merged',
        at: request.merged_at ?? request.updated_at ?? undefined,
        author: email ? { email } : authorOf(user),
      },
    ];
  }
  if (request.action === 'approved' || request.action === 'approval') {
    return [
      {
        id: `review:${name}:${user.username}:${request.last_commit?.id ?? ''}`,
        kind: 'review',
        at: request.updated_at ?? undefined,
        author: authorOf(user),
      },
    ];
  }
  return [];
}

function readNote(payload: unknown): ForgeActivity[] {
  const { project, user, object_attributes: note } = readGitlab.note(payload);
  const isNew = (note.action ?? 'create') === 'create';
  return isNew && note.noteable_type === 'MergeRequest' && !note.system
    ? [
        {
          id: `comment:${project.path_with_namespace}#${note.id}`,
          kind: 'pull_request_comment',
          at: note.created_at ?? undefined,
          author: authorOf(user),
        },
      ]
    : [];
}

/** Returns the author. GitLab sends [REDACTED] in place of private addresses. */
function authorOf(user: { username: string; email?: string | null }): {
  login: string;
  email?: string;
} {
  return {
    login: user.username,
    ...(user.email?.includes('@') && { email: user.email }),
  };
}
