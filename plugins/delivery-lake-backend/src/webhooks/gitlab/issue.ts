import { z } from 'zod';
import { hasIncidentLabel, issueIncident } from '../forges/issueIncident';
import { DeliveryMapper } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { timestamp } from '../payload/timestamp';
import { project } from './schemas';

const labels = z.array(z.object({ title: z.string() })).nullish();

const schema = z.object({
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
 * Issues and, as GitLab calls what is more than one, work items of type Incident.
 * https://docs.gitlab.com/user/project/integrations/webhook_events/#work-item-events
 */
export const mapIssue: DeliveryMapper = ({ body, config }) => {
  const payload = readPayload(schema, body);
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
      issue.state === 'closed' ? issue.closed_at ?? issue.updated_at : null,
    // GitLab's word for an incident that nobody has judged yet.
    severity: severity === 'unknown' ? undefined : severity,
    isIncident: issue.type?.toLocaleLowerCase('en-US') === 'incident',
    wasIncident: hasIncidentLabel(
      titles(payload.changes?.labels?.previous),
      forge,
    ),
  });
};
