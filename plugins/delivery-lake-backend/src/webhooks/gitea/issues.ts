import { Forge } from '@slipway/forge-webhooks';
import { z } from 'zod';
import { issueIncident } from '../forges/issueIncident';
import { DeliveryContext, MappedDelivery } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { timestamp } from '../payload/timestamp';

const schema = z.object({
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

/** These do not name the label that went, so any issue may have been an incident. */
const LABELS_CHANGED: ReadonlySet<string> = new Set([
  'label_updated',
  'label_cleared',
]);

/** Issues of Gitea and Forgejo: all that they say of one is its state after the event. */
export function mapIssues(
  forge: Forge,
  { body, config }: DeliveryContext,
): MappedDelivery {
  const { action, issue, repository } = readPayload(schema, body);
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
      issue.state === 'closed' ? issue.closed_at ?? issue.updated_at : null,
    wasIncident: gone || LABELS_CHANGED.has(action),
  });
}
