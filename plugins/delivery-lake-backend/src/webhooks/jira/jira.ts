import { jiraService } from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import { JiraConfig } from '../../config';
import {
  deploymentLinkIn,
  hasIncidentLabel,
  severityIn,
} from '../forges/issueIncident';
import {
  accepting,
  DeliveryMapper,
  hostOf,
  ignoring,
  key,
  readPayload,
  timestamp,
  TrackerReader,
} from '../payload';

const envelopeSchema = z.object({ webhookEvent: z.string().min(1) });

const name = z.object({ name: z.string() });

const issueSchema = z.object({
  webhookEvent: z.string(),
  // The time of the event; `updated` does not change when an issue is deleted.
  timestamp: z.number().int(),
  issue: z.object({
    id: key,
    key: z.string().min(1),
    self: z.string(),
    fields: z.object({
      summary: z.string(),
      description: z.string().nullish().catch(undefined),
      issuetype: name,
      project: z.object({ key: z.string().min(1) }),
      components: z.array(name).nullish(),
      labels: z.array(z.string()).nullish(),
      priority: name.nullish(),
      status: z.object({
        statusCategory: z.object({ key: z.string() }).nullish(),
      }),
      created: timestamp,
      updated: timestamp,
      resolutiondate: timestamp.nullish(),
      statuscategorychangedate: timestamp.nullish(),
    }),
  }),
  changelog: z
    .object({
      items: z.array(
        z.object({ field: z.string(), fromString: z.string().nullish() }),
      ),
    })
    .nullish(),
});

type Payload = z.output<typeof issueSchema>;

const EVENTS: ReadonlySet<string> = new Set([
  'jira:issue_created',
  'jira:issue_updated',
  'jira:issue_deleted',
]);

function isIncident(
  { types, labels }: { types: string[]; labels: string[] },
  config: JiraConfig,
): boolean {
  return (
    hasIncidentLabel(labels, config) ||
    types.some(type =>
      config.issueTypes.includes(type.trim().toLocaleLowerCase('en-US')),
    )
  );
}

/** Returns the types and labels that an issue had before a change. */
function before({ changelog }: Payload): { types: string[]; labels: string[] } {
  const previous = (field: string) =>
    (changelog?.items ?? [])
      .filter(item => item.field === field)
      .map(({ fromString }) => fromString ?? '');
  return {
    types: previous('issuetype'),
    labels: previous('labels').flatMap(labels => labels.split(' ')),
  };
}

/** Returns whether an event set the status of an issue. */
function bringsStatus({ webhookEvent, changelog }: Payload): boolean {
  return (
    webhookEvent === 'jira:issue_created' ||
    (changelog?.items ?? []).some(({ field }) => field === 'status')
  );
}

/**
 * Returns when an issue was closed: null while it is open, undefined if this event does not say.
 * The status decides, because a workflow may reopen an issue and leave its resolution.
 */
function closedAt(payload: Payload): number | null | undefined {
  const { fields } = payload.issue;
  const category = fields.status.statusCategory?.key;
  if (category === undefined) {
    return fields.resolutiondate ?? null;
  }
  if (category !== 'done') {
    return null;
  }
  // Jira Data Center does not send the time of the status, and later edits do not close the issue.
  return (
    fields.resolutiondate ??
    fields.statuscategorychangedate ??
    (bringsStatus(payload) ? fields.updated : undefined)
  );
}

/** Returns the URL of an issue's page. */
function pageOf({ self, key: issueKey }: Payload['issue']): string | undefined {
  const end = self.indexOf('/rest/api/');
  return end < 0 ? undefined : `${self.slice(0, end)}/browse/${issueKey}`;
}

/** Maps an issue: https://developer.atlassian.com/cloud/jira/platform/webhooks/ */
const map: DeliveryMapper = ({ source, body, config, service }) => {
  const { webhookEvent } = readPayload(envelopeSchema, body);
  if (!EVENTS.has(webhookEvent)) {
    return ignoring(`The lake ignores ${webhookEvent} events of Jira`);
  }
  const payload = readPayload(issueSchema, body);
  const { issue } = payload;
  const { fields } = issue;
  const { jira } = config.webhooks;
  const labels = fields.labels ?? [];
  const record = {
    kind: 'incident' as const,
    source,
    // The id, because the key changes when the issue is moved to another project.
    externalId: `${hostOf(issue.self) ?? 'jira'}#${issue.id}`,
    occurredAt: payload.timestamp,
  };
  const isNow = isIncident({ types: [fields.issuetype.name], labels }, jira);
  const isDeleted = webhookEvent === 'jira:issue_deleted';
  if (isDeleted ? isNow : !isNow && isIncident(before(payload), jira)) {
    return accepting({ ...record, deleted: true });
  }
  if (!isNow) {
    return ignoring(
      `${issue.key} is no incident: its type is ${fields.issuetype.name} (not ${jira.issueTypes.join(
        ', ',
      )}), and it has no label ${jira.incidentLabels.join(', ')}`,
    );
  }
  const link = deploymentLinkIn(fields.description, 'jira');
  return accepting({
    ...record,
    service: service ?? jiraService(fields.project.key),
    title: fields.summary,
    severity:
      severityIn(labels) ?? fields.priority?.name.toLocaleLowerCase('en-US'),
    startedAt: fields.created,
    resolvedAt: closedAt(payload),
    // Authors of issues must not be able to mark deployments of other components as failed.
    deployment: link && { ...link, isOwn: true },
    url: pageOf(issue),
  });
};

/** Reads webhooks of Jira about issues. */
export const jira: TrackerReader = {
  map,
  eventOf: body => envelopeSchema.safeParse(body).data?.webhookEvent,
  accountOf(body) {
    const { data } = issueSchema.safeParse(body);
    return data && hostOf(data.issue.self);
  },
  startOf: body => issueSchema.safeParse(body).data?.issue.fields.created,
  serviceNamesOf(body) {
    const fields = issueSchema.safeParse(body).data?.issue.fields;
    if (!fields) {
      return [];
    }
    const { project, components, labels } = fields;
    const named = (components ?? []).map(component => component.name);
    return [
      ...named.map(component => jiraService(project.key, { component })),
      ...(labels ?? []).map(label => jiraService(project.key, { label })),
      jiraService(project.key),
      ...named,
    ];
  },
};
