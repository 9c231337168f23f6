import { z } from 'zod';
import {
  mergedChange,
  pushedChanges,
  pushedCommit,
  releaseDeployment,
} from '../forges/codeEvents';
import { hasIncidentLabel, issueIncident } from '../forges/issueIncident';
import {
  DeliveryMapper,
  ignoring,
  key,
  readPayload,
  timestamp,
} from '../payload';
import { mapDeployment } from './deployments';

/** The project in every hook of GitLab. */
const project = z.object({
  path_with_namespace: z.string().min(1),
  default_branch: z.string().nullish(),
});

const labels = z.array(z.object({ title: z.string() })).nullish();

const issueSchema = z.object({
  project,
  labels,
  changes: z
    .object({ labels: z.object({ previous: labels }).nullish() })
    .nullish(),
  object_attributes: z.object({
    iid: z.number(),
    title: z.string(),
    description: z.string().nullish(),
    // `Issue`, or another kind of work item.
    type: z.string().nullish(),
    severity: z.string().nullish(),
    state: z.string(),
    labels,
    url: z.string().optional(),
    created_at: timestamp,
    updated_at: timestamp,
    closed_at: timestamp.nullish(),
  }),
});

function titles(list: z.output<typeof labels>): string[] {
  return (list ?? []).map(({ title }) => title);
}

/**
 * Maps issues and work items of type Incident.
 * https://docs.gitlab.com/user/project/integrations/webhook_events/#work-item-events
 */
const mapIssue: DeliveryMapper = ({ body, config }) => {
  const payload = readPayload(issueSchema, body);
  const issue = payload.object_attributes;
  const forge = config.webhooks.gitlab;
  const severity = issue.severity?.toLocaleLowerCase('en-US');
  return issueIncident({
    source: 'gitlab',
    forge,
    repository: payload.project.path_with_namespace,
    number: issue.iid,
    title: issue.title,
    body: issue.description,
    labels: titles(payload.labels ?? issue.labels),
    url: issue.url,
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    closedAt:
      issue.state === 'closed' ? (issue.closed_at ?? issue.updated_at) : null,
    // GitLab reports `unknown` for an incident whose severity has not been assessed.
    severity: severity === 'unknown' ? undefined : severity,
    isIncident: issue.type?.toLocaleLowerCase('en-US') === 'incident',
    wasIncident: hasIncidentLabel(
      titles(payload.changes?.labels?.previous),
      forge,
    ),
  });
};

const mergeRequestSchema = z.object({
  project,
  user: z.object({ name: z.string() }).nullish(),
  object_attributes: z.object({
    iid: z.number(),
    title: z.string(),
    action: z.string().nullish(),
    target_branch: z.string(),
    merge_commit_sha: z.string().nullish(),
    squash_commit_sha: z.string().nullish(),
    last_commit: z
      .object({
        id: z.string(),
        author: z.object({ name: z.string() }).nullish(),
      })
      .nullish(),
    merged_at: timestamp.nullish(),
    updated_at: timestamp,
    url: z.string().optional(),
  }),
});

/**
 * Maps a merged request.
 * https://docs.gitlab.com/user/project/integrations/webhook_events/#merge-request-events
 */
const mapMergeRequest: DeliveryMapper = ({ source, body }) => {
  const payload = readPayload(mergeRequestSchema, body);
  const merge = payload.object_attributes;
  const name = `Merge request ${merge.iid}`;
  if (merge.action !== 'merge') {
    return ignoring(`${name}: ${merge.action ?? 'no action'}, not a merge`);
  }
  // The payload's user merged the request, but only wrote the merge commit, if there is one.
  const author = merge.merge_commit_sha
    ? payload.user
    : merge.last_commit?.author;
  return mergedChange({
    source,
    name,
    repository: payload.project.path_with_namespace,
    defaultBranch: payload.project.default_branch ?? '',
    targetBranch: merge.target_branch,
    // A fast-forward merge creates no commit; the last commit of the merge request is what landed.
    sha:
      merge.merge_commit_sha ??
      merge.squash_commit_sha ??
      merge.last_commit?.id,
    mergedAt: merge.merged_at ?? merge.updated_at,
    title: merge.title,
    author: author?.name,
    url: merge.url,
  });
};

const pushSchema = z.object({
  ref: z.string(),
  after: z.string(),
  project,
  // GitLab sends only the newest twenty commits of the push, oldest first.
  commits: z.array(pushedCommit),
});

/**
 * Maps a push. The payload does not contain its time.
 *
 * https://docs.gitlab.com/user/project/integrations/webhook_events/#push-events
 */
const mapPush: DeliveryMapper = ({ source, body }) => {
  const push = readPayload(pushSchema, body);
  if (!push.project.default_branch) {
    return ignoring('The project has no default branch');
  }
  return pushedChanges({
    source,
    ref: push.ref,
    after: push.after,
    commits: push.commits,
    repository: push.project.path_with_namespace,
    defaultBranch: push.project.default_branch,
  });
};

const releaseSchema = z.object({
  id: key,
  action: z.string(),
  tag: z.string(),
  released_at: timestamp,
  url: z.string().nullish(),
  project,
  commit: z
    .object({
      id: z.string().min(1),
      message: z.string().optional(),
      timestamp: timestamp.optional(),
      author: z.object({ name: z.string() }).nullish(),
    })
    .nullish(),
});

/**
 * Maps a created release.
 * https://docs.gitlab.com/user/project/integrations/webhook_events/#release-events
 */
const mapRelease: DeliveryMapper = ({ body, config }) => {
  const release = readPayload(releaseSchema, body);
  if (release.action !== 'create') {
    return ignoring(
      `Release ${release.tag}: ${release.action}, not its publication`,
    );
  }
  const { commit } = release;
  return releaseDeployment({
    source: 'gitlab',
    forge: config.webhooks.gitlab,
    repository: release.project.path_with_namespace,
    id: release.id,
    tag: release.tag,
    publishedAt: release.released_at,
    commit: commit
      ? {
          sha: commit.id,
          message: commit.message,
          author: commit.author?.name,
          committedAt: commit.timestamp,
        }
      : undefined,
    url: release.url ?? undefined,
  });
};

const MAPPERS: Readonly<Record<string, DeliveryMapper>> = {
  push: mapPush,
  merge_request: mapMergeRequest,
  deployment: mapDeployment,
  release: mapRelease,
  issue: mapIssue,
  work_item: mapIssue,
};

/** System hooks have only `event_name`. */
const hookSchema = z.object({
  object_kind: z.string().optional(),
  event_name: z.string().optional(),
});

/**
 * Reads a delivery of GitLab by the kind in its body, because the header is `Issue Hook` for both
 * issues and incidents.
 */
export const mapGitlab: DeliveryMapper = delivery => {
  const { object_kind, event_name } = readPayload(hookSchema, delivery.body);
  const kind = object_kind ?? event_name ?? delivery.type;
  return Object.hasOwn(MAPPERS, kind)
    ? MAPPERS[kind](delivery)
    : ignoring(`The lake ignores ${kind} events of GitLab`);
};
