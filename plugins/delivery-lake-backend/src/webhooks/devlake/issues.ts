import { z } from 'zod';
import { ignoring, MappedDelivery, meaning } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { key, optionalText } from '../payload/text';
import { timestamp } from '../payload/timestamp';
import { DevlakeTarget } from './devlakePath';

const schema = z.object({
  issueKey: key,
  title: z.string().trim().min(1),
  url: optionalText,
  type: optionalText,
  status: z.enum(['TODO', 'DONE', 'IN_PROGRESS']),
  originalStatus: z.string().min(1),
  createdDate: timestamp,
  updatedDate: timestamp.nullish(),
  resolutionDate: timestamp.nullish(),
  severity: optionalText,
  component: optionalText,
});

/**
 * DevLake's issue body; like DevLake itself the lake takes the type INCIDENT for one.
 * The service is the component, or else the name that the connection was given:
 * the body has no repository.
 *
 * https://devlake.apache.org/docs/Plugins/webhook/#register-issues
 *
 * @throws PayloadError naming the field at fault.
 */
export function mapIssue(delivery: {
  source: string;
  body: unknown;
  target: DevlakeTarget;
}): MappedDelivery {
  const { source, body, target } = delivery;
  const issue = readPayload(schema, body);
  if (issue.type?.toLocaleUpperCase('en-US') !== 'INCIDENT') {
    return ignoring(
      `Issue ${issue.issueKey} is of type ${
        issue.type ?? 'none'
      }, not INCIDENT`,
    );
  }
  const resolvedAt =
    issue.status === 'DONE'
      ? issue.resolutionDate ?? issue.updatedDate ?? issue.createdDate
      : null;
  return meaning({
    kind: 'incident',
    source,
    externalId: issue.issueKey,
    occurredAt: issue.updatedDate ?? resolvedAt ?? issue.createdDate,
    service: issue.component ?? (target.named ? target.connection : undefined),
    title: issue.title,
    severity: issue.severity?.toLocaleLowerCase('en-US'),
    startedAt: issue.createdDate,
    resolvedAt,
    url: issue.url,
  });
}

/**
 * Closing an issue says nothing but its key: it is resolved when the lake hears of it.
 *
 * @param delivery.receivedAt - milliseconds.
 */
export function mapClosedIssue(delivery: {
  source: string;
  issueKey: string;
  receivedAt: number;
}): MappedDelivery {
  return meaning({
    kind: 'incident',
    source: delivery.source,
    externalId: delivery.issueKey,
    occurredAt: delivery.receivedAt,
    resolvedAt: delivery.receivedAt,
  });
}
