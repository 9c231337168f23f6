import { Forge } from '@slipway/platform-guards';
import { z } from 'zod';
import {
  mergedChange,
  pushedChanges,
  pushedCommit,
  releaseDeployment,
  shaIn,
} from '../forges/codeEvents';
import { hasIncidentLabel, issueIncident } from '../forges/issueIncident';
import {
  DeliveryContext,
  DeliveryMapper,
  ignoring,
  key,
  MappedDelivery,
  readPayload,
  timestamp,
} from '../payload';
import { mapDeployment, mapDeploymentStatus } from './deployments';

/** Fields of every repository event of GitHub. */
const repositorySchema = z.object({
  full_name: z.string().min(1),
  default_branch: z.string().min(1),
});

const user = z.object({ login: z.string() });

const label = z.object({ name: z.string() });

const issueSchema = z.object({
  action: z.string(),
  repository: z.object({ full_name: z.string().min(1) }),
  // The affected label of `labeled` and `unlabeled`.
  label: label.nullish(),
  issue: z.object({
    number: z.number(),
    title: z.string(),
    body: z.string().nullish(),
    labels: z.array(label).nullish(),
    html_url: z.string().optional(),
    state: z.string().optional(),
    created_at: timestamp,
    updated_at: timestamp,
    closed_at: timestamp.nullish(),
  }),
});

/** Actions that remove the issue from the repository. */
const GONE: ReadonlySet<string> = new Set(['deleted', 'transferred']);

/** Maps an issue: https://docs.github.com/webhooks/webhook-events-and-payloads#issues */
const mapIssues: DeliveryMapper = ({ body, config }) => {
  const {
    action,
    issue,
    repository,
    label: subject,
  } = readPayload(issueSchema, body);
  const forge = config.webhooks.github;
  const names = (issue.labels ?? []).map(({ name }) => name);
  const gone = GONE.has(action);
  const removed = action === 'unlabeled' && subject ? [subject.name] : [];
  return issueIncident({
    source: 'github',
    forge,
    repository: repository.full_name,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    labels: gone ? [] : names.filter(name => !removed.includes(name)),
    url: issue.html_url,
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    closedAt: issue.state === 'open' ? null : (issue.closed_at ?? null),
    wasIncident: hasIncidentLabel(gone ? names : removed, forge),
  });
};

/** GitHub's pull request; those of Gitea and Forgejo have the same fields. */
const pullRequestSchema = z.object({
  action: z.string(),
  repository: repositorySchema,
  pull_request: z.object({
    number: z.number(),
    title: z.string(),
    html_url: z.string().optional(),
    merged: z.boolean().nullish(),
    merged_at: timestamp.nullish(),
    merge_commit_sha: z.string().nullish(),
    user: user.nullish(),
    base: z.object({ ref: z.string() }),
  }),
});

/** Maps a merge: https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request */
export const mapPullRequest: DeliveryMapper = ({ source, body }) => {
  const payload = readPayload(pullRequestSchema, body);
  const pull = payload.pull_request;
  const name = `Pull request ${pull.number}`;
  if (payload.action !== 'closed') {
    return ignoring(`${name} was ${payload.action}, not merged`);
  }
  if (!pull.merged || typeof pull.merged_at !== 'number') {
    return ignoring(`${name} was closed without being merged`);
  }
  return mergedChange({
    source,
    name,
    repository: payload.repository.full_name,
    defaultBranch: payload.repository.default_branch,
    targetBranch: pull.base.ref,
    sha: pull.merge_commit_sha ?? undefined,
    mergedAt: pull.merged_at,
    title: pull.title,
    author: pull.user?.login,
    url: pull.html_url,
  });
};

const pushSchema = z.object({
  ref: z.string(),
  after: z.string(),
  commits: z.array(pushedCommit),
  // In a push event, `pushed_at` is the time of the push, in seconds.
  repository: repositorySchema.extend({ pushed_at: timestamp.nullish() }),
});

/** Maps a push: https://docs.github.com/webhooks/webhook-events-and-payloads#push */
const mapPush: DeliveryMapper = ({ source, body }) => {
  const push = readPayload(pushSchema, body);
  return pushedChanges({
    ...push,
    source,
    repository: push.repository.full_name,
    defaultBranch: push.repository.default_branch,
    pushedAt: push.repository.pushed_at ?? undefined,
  });
};

/** GitHub's release; those of Gitea and Forgejo have the same fields. */
const releaseSchema = z.object({
  action: z.string(),
  repository: z.object({ full_name: z.string().min(1) }),
  release: z.object({
    id: key,
    tag_name: z.string(),
    // A branch, unless the release was created from a commit.
    target_commitish: z.string().nullish(),
    draft: z.boolean(),
    prerelease: z.boolean(),
    published_at: timestamp.nullish(),
    html_url: z.string().optional(),
    author: user.nullish(),
  }),
});

/** Maps a release: https://docs.github.com/webhooks/webhook-events-and-payloads#release */
export function mapRelease(
  forge: Forge,
  { body, config }: DeliveryContext,
): MappedDelivery {
  const { action, release, repository } = readPayload(releaseSchema, body);
  if (action !== 'published') {
    return ignoring(`Release ${release.tag_name} was ${action}, not published`);
  }
  if (release.draft || release.prerelease) {
    return ignoring(
      `Release ${release.tag_name} is a ${
        release.draft ? 'draft' : 'pre-release'
      }`,
    );
  }
  if (typeof release.published_at !== 'number') {
    return ignoring(`Release ${release.tag_name} has no publication time`);
  }
  const sha = shaIn(release.target_commitish);
  return releaseDeployment({
    source: forge,
    forge: config.webhooks[forge],
    repository: repository.full_name,
    id: release.id,
    tag: release.tag_name,
    publishedAt: release.published_at,
    triggeredBy: release.author?.login,
    commit: sha ? { sha } : undefined,
    url: release.html_url,
  });
}

const MAPPERS: Readonly<Record<string, DeliveryMapper>> = {
  push: mapPush,
  pull_request: mapPullRequest,
  deployment: mapDeployment,
  deployment_status: mapDeploymentStatus,
  release: delivery => mapRelease('github', delivery),
  issues: mapIssues,
  ping: () => ignoring('GitHub sent a ping'),
};

/** Reads a delivery of GitHub by the type in `X-GitHub-Event`. */
export const mapGithub: DeliveryMapper = delivery =>
  Object.hasOwn(MAPPERS, delivery.type)
    ? MAPPERS[delivery.type](delivery)
    : ignoring(`The lake ignores ${delivery.type} events of GitHub`);
