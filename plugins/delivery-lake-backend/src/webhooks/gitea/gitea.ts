import { Forge } from '@slipway/platform-guards';
import { z } from 'zod';
import { pushedChanges, pushedCommit } from '../forges/codeEvents';
import { issueIncident } from '../forges/issueIncident';
import { mapPullRequest, mapRelease } from '../github/github';
import {
  DeliveryContext,
  DeliveryMapper,
  ignoring,
  MappedDelivery,
  readPayload,
  timestamp,
} from '../payload';

const issueSchema = z.object({
  action: z.string(),
  repository: z.object({ full_name: z.string().min(1) }),
  issue: z.object({
    number: z.number(),
    title: z.string(),
    body: z.string().nullish(),
    labels: z.array(z.object({ name: z.string() })).nullish(),
    html_url: z.string().optional(),
    state: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    closed_at: timestamp.nullish(),
  }),
});

/** Actions that do not name the removed label, so that any issue may have been an incident. */
const LABELS_CHANGED: ReadonlySet<string> = new Set([
  'label_updated',
  'label_cleared',
]);

/** Maps issues of Gitea and Forgejo, which only send the state after the event. */
function mapIssues(
  forge: Forge,
  { body, config }: DeliveryContext,
): MappedDelivery {
  const { action, issue, repository } = readPayload(issueSchema, body);
  const gone = action === 'deleted';
  return issueIncident({
    source: forge,
    forge: config.webhooks[forge],
    repository: repository.full_name,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    labels: gone ? [] : (issue.labels ?? []).map(({ name }) => name),
    url: issue.html_url,
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    closedAt:
      issue.state === 'closed' ? (issue.closed_at ?? issue.updated_at) : null,
    wasIncident: gone || LABELS_CHANGED.has(action),
  });
}

const pushSchema = z.object({
  ref: z.string(),
  after: z.string(),
  commits: z.array(pushedCommit).nullable(),
  repository: z.object({
    full_name: z.string().min(1),
    default_branch: z.string().min(1),
  }),
});

/** Maps a push to Gitea or Forgejo, whose payload does not contain the time of the push. */
const mapPush: DeliveryMapper = ({ source, body }) => {
  const push = readPayload(pushSchema, body);
  return pushedChanges({
    source,
    ref: push.ref,
    after: push.after,
    commits: push.commits ?? [],
    repository: push.repository.full_name,
    defaultBranch: push.repository.default_branch,
  });
};

/**
 * Reads deliveries of Gitea or Forgejo by the type in `X-Gitea-Event`. Neither reports
 * deployments; their pull requests and releases have GitHub's fields.
 */
export function createGiteaMapper(forge: 'gitea' | 'forgejo'): DeliveryMapper {
  const mappers: Readonly<Record<string, DeliveryMapper>> = {
    push: mapPush,
    pull_request: mapPullRequest,
    release: delivery => mapRelease(forge, delivery),
    issues: delivery => mapIssues(forge, delivery),
  };
  return delivery =>
    Object.hasOwn(mappers, delivery.type)
      ? mappers[delivery.type](delivery)
      : ignoring(`The lake ignores ${delivery.type} events of ${forge}`);
}
