import { Forge } from '@slipway/forge-webhooks';
import { ForgeConfig } from '../../config';
import { ignoring, MappedDelivery, meaning } from '../MappedDelivery';
import { deploymentLinkIn } from './deploymentLink';
import { severityIn } from './severity';

/** An issue as all forges know it. Times in milliseconds. */
export interface ForgeIssue {
  source: Forge;
  forge: ForgeConfig;
  repository: string;
  number: number;
  title: string;
  body: string | null | undefined;
  labels: string[];
  url: string | undefined;
  createdAt: number;
  updatedAt: number;
  /** null while it is open. */
  closedAt: number | null;
  severity?: string;
  /** The forge itself calls it an incident, whatever its labels. */
  isIncident?: boolean;
  /** It may have been one until now: it lost labels, was deleted or moved away. */
  wasIncident: boolean;
}

/** Whether one of the labels makes an issue an incident. */
export function hasIncidentLabel(
  labels: string[],
  forge: ForgeConfig,
): boolean {
  return labels.some(label =>
    forge.incidentLabels.includes(label.trim().toLocaleLowerCase('en-US')),
  );
}

/** The incident that an issue is: it began when it was opened and ended when it was closed. */
export function issueIncident(issue: ForgeIssue): MappedDelivery {
  const { source, forge, repository } = issue;
  const record = {
    kind: 'incident' as const,
    source,
    externalId: `${repository}#${issue.number}`,
    occurredAt: issue.updatedAt,
  };
  if (!issue.isIncident && !hasIncidentLabel(issue.labels, forge)) {
    return issue.wasIncident
      ? meaning({ ...record, deleted: true })
      : ignoring(
          `Issue ${
            record.externalId
          } has no label that makes it an incident (${forge.incidentLabels.join(
            ', ',
          )})`,
        );
  }
  return meaning({
    ...record,
    service: repository,
    title: issue.title,
    severity: issue.severity ?? severityIn(issue.labels),
    startedAt: issue.createdAt,
    resolvedAt: issue.closedAt,
    deployment: deploymentLinkIn(issue.body, source),
    url: issue.url,
  });
}
