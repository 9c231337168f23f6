import { isJsonObject } from '@slipway/service-kit';
import type { BuildSource } from '../builds/Build.ts';
import {
  readBitbucketClosed,
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
  type Head,
  headOf,
  nothing,
  objectAt,
  type Payload,
  readCommit,
  readRequest,
  textOf,
} from './eventReading.ts';

const MAX_COMMITS = 200;
const ZEROS = /^0{40,64}$/;

/** Keys of objects in payloads of other events, which pushes never contain. */
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
  // A push event for the same ref contains its commit.
  create: () => nothing('The push of the ref tells what to build'),
  // A push event reports the same deletion.
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
  'pullrequest:fulfilled': readBitbucketClosed,
  'pullrequest:rejected': readBitbucketClosed,
};

/**
 * Reads what to build for an event of a forge. Without an event name, a payload in the format of a
 * forge's event is read as that event; any other object is read as a push in the contract's format.
 *
 * @param event - the forge's name of the event.
 * @param isForge - whether a header of a forge named it; forges always send complete payloads.
 */
export function readEvent(
  payload: Payload,
  { event, isForge = false }: { event?: string; isForge?: boolean },
): EventReading {
  // Programs that forward events may use that word for every push.
  const isNamed = event !== undefined && (isForge || event !== 'push');
  const name = isNamed ? event : eventByForm(payload);
  if (name === undefined) {
    return readGeneric(payload);
  }
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  return reader ? reader(payload, name) : { kind: 'other' };
}

/** Returns the event whose format a payload has; undefined for a push, and for unknown formats. */
function eventByForm(payload: Payload): string | undefined {
  const { object_kind: kind, eventKey } = payload;
  if (typeof eventKey === 'string') {
    return eventKey;
  }
  if (typeof kind === 'string') {
    return kind === 'push' ? 'Push Hook' : kind;
  }
  if (isJsonObject(payload.pullrequest)) {
    return 'pullrequest:updated';
  }
  if (Array.isArray(objectAt(payload, 'push').changes)) {
    return 'repo:push';
  }
  if (isJsonObject(payload.pull_request)) {
    return 'pull_request';
  }
  const namesCommit = payload.ref !== undefined || payload.after !== undefined;
  return namesCommit
    ? undefined
    : OTHER_EVENTS.find(member => isJsonObject(payload[member]));
}

/** Reads a push in the contract's format, in which every field is optional. */
function readGeneric(payload: Payload): EventReading {
  if (isDeletion(payload)) {
    return deleted(payload.ref);
  }
  const fault = ['ref', 'after'].find(
    field => payload[field] !== undefined && typeof payload[field] !== 'string',
  );
  return built(sourceOf(payload), {
    isStrict: false,
    head: headIn(payload, textOf(payload.after)),
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
    head: headIn(payload, textOf(payload.after)),
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
    { author: textOf(payload.user_username), head: headIn(payload, sha) },
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
  // An update without `oldrev` changes the title, labels or reviewers.
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
    url: request.url,
    isFork: request.source_project_id !== request.target_project_id,
    author: textOf(objectAt(payload, 'user').username),
    message: objectAt(request, 'last_commit').message,
  });
}

/**
 * Reads a pull request event of GitHub, Gitea or Forgejo; some send `synchronized`
 * instead of `synchronize`.
 */
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
  // A deleted fork has no repository.
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
    url: request.html_url,
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

/** Reads the message of the pushed commit; without its id, the last commit is the pushed one. */
function headIn(payload: Payload, sha: string | undefined): Head | undefined {
  const commits: unknown[] = Array.isArray(payload.commits)
    ? payload.commits
    : [];
  const known = [...commits, payload.head_commit].filter(isJsonObject);
  const head =
    sha === undefined ? known.at(-1) : known.find(({ id }) => id === sha);
  return headOf(head?.message);
}

/** Checks whether a push deleted its ref, so that there is nothing to build. */
function isDeletion(payload: Payload): boolean {
  return (
    payload.deleted === true ||
    (typeof payload.after === 'string' && ZEROS.test(payload.after))
  );
}
