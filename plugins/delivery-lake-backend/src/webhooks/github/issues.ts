import { z } from 'zod';
import { hasIncidentLabel, issueIncident } from '../forges/issueIncident';
import { DeliveryMapper } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { timestamp } from '../payload/timestamp';

const label = z.object({ name: z.string() });

const schema = z.object({
  action: z.string(),
  repository: z.object({ full_name: z.string().min(1) }),
  // Of `labeled` and `unlabeled`: the one it is about.
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

/** After these the repository has no such issue any more. */
const GONE: ReadonlySet<string> = new Set(['deleted', 'transferred']);

/** https://docs.github.com/webhooks/webhook-events-and-payloads#issues */
export const mapIssues: DeliveryMapper = ({ body, config }) => {
  const {
    action,
    issue,
    repository,
    label: subject,
  } = readPayload(schema, body);
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
    closedAt: issue.state === 'open' ? null : issue.closed_at ?? null,
    wasIncident: hasIncidentLabel(gone ? names : removed, forge),
  });
};
