import type { BuildSource } from '../builds/Build.ts';
import {
  readBitbucketPush,
  readBitbucketRequest,
  readBitbucketServerClosed,
  readBitbucketServerPush,
  readBitbucketServerRequest,
} from './bitbucketEvents.ts';
import {
  built,
  closed,
  deleted,
  type EventReading,
  isObject,
  nothing,
  objectAt,
  type Payload,
  readCommit,
  readRequest,
  textOf,
} from './eventReading.ts';

const MAX_COMMITS = 200;
const ZEROS = /^0{40,64}$/;

/** Objects that payloads of other events have, and pushes never. */
const OTHER_EVENTS = [
  'issue',
  'comment',
  'review',
  'release',
  'check_run',
  'check_suite',
  'workflow_run',
  'workflow_job',
  'deployment',
  'discussion',
  'hook',
  'object_attributes',
];

type Reader = (payload: Payload, event: string) => EventReading;

/** Readers by the event names of GitHub, Gitea, Forgejo, GitLab and both kinds of Bitbucket. */
const READERS: Readonly<Record<string, Reader>> = {
  push: readPush,
  'Push Hook': readGitLabPush,
  'Tag Push Hook': readGitLabPush,
  tag_push: readGitLabPush,
  'System Hook': readGitLabSystem,
  'Merge Request Hook': readMergeRequest,
  merge_request: readMergeRequest,
  pull_request: readPullRequest,
  // A push tells of the same ref, with its commit.
  create: () => nothing('The push of the ref tells what to build'),
  // Of the same deletion a push tells as well.
  delete: () => nothing('The ref was deleted'),
  'repo:push': readBitbucketPush,
  'repo:refs_changed': readBitbucketServerPush,
  'pr:opened': readBitbucketServerRequest,
  'pr:from_ref_updated': readBitbucketServerRequest,
  'pr:merged': readBitbucketServerClosed,
  'pr:declined': readBitbucketServerClosed,
  'pr:deleted': readBitbucketServerClosed,
  'pullrequest:created': readBitbucketRequest,
  'pullrequest:updated': readBitbucketRequest,
};

/**
 * Reads what an event of a forge asks to be built. Without the name of an event, a payload that has the
 * form of a forge's event is read as that; any other object is a push as the contract has it.
 *
 * @param event - as the forge names it.
 * @param isForge - whether a header of a forge named it, which always sends whole payloads.
 */
export function readEvent(
  payload: Payload,
  { event, isForge = false }: { event?: string; isForge?: boolean },
): EventReading {
  // Whoever passes an event on may call every push by that word.
  const isNamed = event !== undefined && (isForge || event !== 'push');
  const name = isNamed ? event : eventByForm(payload);
  if (name === undefined) {
    return readGeneric(payload);
  }
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  return reader ? reader(payload, name) : { kind: 'other' };
}

/** The event whose form a payload has; undefined for a push, and for what no forge sends. */
function eventByForm(payload: Payload): string | undefined {
  const { object_kind: kind, eventKey } = payload;
  if (typeof eventKey === 'string') {
    return eventKey;
  }
  if (typeof kind === 'string') {
    return kind === 'push' ? 'Push Hook' : kind;
  }
  if (isObject(payload.pullrequest)) {
    return 'pullrequest:updated';
  }
  if (Array.isArray(objectAt(payload, 'push').changes)) {
    return 'repo:push';
  }
  if (isObject(payload.pull_request)) {
    return 'pull_request';
  }
  const namesCommit = payload.ref !== undefined || payload.after !== undefined;
  return namesCommit
    ? undefined
    : OTHER_EVENTS.find(member => isObject(payload[member]));
}

/** A push as the contract has it: every field may be missing. */
function readGeneric(payload: Payload): EventReading {
  if (isDeletion(payload)) {
    return deleted(payload.ref);
  }
  const fault = ['ref', 'after'].find(
    field => payload[field] !== undefined && typeof payload[field] !== 'string',
  );
  return built(sourceOf(payload), {
    isStrict: false,
    ...(fault !== undefined && { fault: `${fault} must be a string` }),
  });
}

function readPush(payload: Payload): EventReading {
  if (isDeletion(payload)) {
    return deleted(payload.ref);
  }
  const pusher = objectAt(payload, 'pusher');
  return built(sourceOf(payload), {
    author: textOf(pusher.name) ?? textOf(pusher.login),
  });
}

/** Reads a push to GitLab. For an annotated tag, `after` is the tag object and `checkout_sha` the commit. */
function readGitLabPush(payload: Payload): EventReading {
  if (isDeletion(payload) || payload.checkout_sha === null) {
    return deleted(payload.ref);
  }
  const sha = textOf(payload.checkout_sha) ?? textOf(payload.after);
  return built(
    { ...sourceOf(payload), after: sha },
    { author: textOf(payload.user_username) },
  );
}

function readGitLabSystem(payload: Payload): EventReading {
  switch (payload.object_kind ?? payload.event_name) {
    case 'push':
    case 'tag_push':
      return readGitLabPush(payload);
    case 'merge_request':
      return readMergeRequest(payload);
    default:
      return { kind: 'other' };
  }
}

function readMergeRequest(payload: Payload): EventReading {
  const request = objectAt(payload, 'object_attributes');
  const action = textOf(request.action) ?? '';
  // An update without `oldrev` is one of its title, labels or reviewers.
  const isNew =
    ['open', 'reopen'].includes(action) ||
    (action === 'update' && typeof request.oldrev === 'string');
  if (['close', 'merge'].includes(action)) {
    return closed(request.iid);
  }
  if (!isNew) {
    return nothing(`The merge request has no new commit: ${action || 'none'}`);
  }
  return readRequest({
    repository: textOf(objectAt(payload, 'project').path_with_namespace),
    number: request.iid,
    refs: 'refs/merge-requests/*/head',
    sha: objectAt(request, 'last_commit').id,
    base: request.target_branch,
    branch: request.source_branch,
    title: request.title,
    isFork: request.source_project_id !== request.target_project_id,
    author: textOf(objectAt(payload, 'user').username),
  });
}

/** GitHub's, Gitea's and Forgejo's, which says `synchronized`. */
function readPullRequest(payload: Payload): EventReading {
  const action = textOf(payload.action) ?? '';
  if (action === 'closed') {
    return closed(payload.number);
  }
  if (!/^(?:opened|reopened|synchronized?)$/.test(action)) {
    return nothing(`The pull request has no new commit: ${action || 'none'}`);
  }
  const request = objectAt(payload, 'pull_request');
  const head = objectAt(request, 'head');
  const base = objectAt(request, 'base');
  // A fork that was deleted has no repository any more.
  const [from, to] = [head, base].map(
    side => objectAt(side, 'repo').id ?? side.repo_id,
  );
  return readRequest({
    repository: textOf(objectAt(payload, 'repository').full_name),
    number: payload.number ?? request.number,
    refs: 'refs/pull/*/head',
    sha: head.sha,
    base: base.ref,
    branch: head.ref,
    title: request.title,
    isFork: from === undefined || from !== to,
    author: textOf(objectAt(request, 'user').login),
  });
}

function sourceOf(payload: Payload): BuildSource {
  const repository = objectAt(payload, 'repository');
  const name = [
    repository.full_name,
    objectAt(payload, 'project').path_with_namespace,
    repository.name,
  ].find(candidate => typeof candidate === 'string');
  const commits = Array.isArray(payload.commits) ? payload.commits : [];
  return {
    repository: textOf(name),
    ref: textOf(payload.ref),
    before: textOf(payload.before),
    after: textOf(payload.after),
    commits: commits.slice(0, MAX_COMMITS).flatMap(readCommit),
  };
}

/** Tells whether a push deleted its ref: there is nothing to build. */
function isDeletion(payload: Payload): boolean {
  return (
    payload.deleted === true ||
    (typeof payload.after === 'string' && ZEROS.test(payload.after))
  );
}
