import { Forge } from '@slipway/platform-guards';
import { ForgeConfig, IssueConfig } from '../../config';
import { DeploymentLink, linkById, TEXT_LIMITS } from '../../events/LakeEvent';
import { ignoring, MappedDelivery, accepting } from '../payload';

/**
 * Matches `Deployment: deploy-…`, `Deployment: 145988746`, `Deploy: <sha>` or `Caused by: <sha>` on
 * its own line, also as a list item, quoted, bold or as code. No part matches across lines, because
 * anyone may write an issue that consists of line breaks.
 */
const LINK_LINE =
  /^[ \t>*_-]*(deployment|deploy|caused[ -]by)[*_]*[ \t]*:[ \t*_`]*([^\s`*<>]+)/im;
const SHA = /^[0-9a-f]{7,64}$/i;
/** Matches a full SHA; a shorter one may be a deployment's id (145988746). */
const WHOLE_SHA = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;

/**
 * Returns the deployment that caused the incident according to an issue:
 *
 * - `Deployment: <id>`: an id of the lake (`deploy-…`), a full SHA, or the id under which the
 *   sender of the issue reported the deployment;
 * - `Deploy: <sha>` or `Caused by: <sha>`: the commit that was deployed, or an id as above.
 *
 * @param source - the source of the ids.
 * @returns null if the text contains no link, or one that cannot be an id.
 */
export function deploymentLinkIn(
  text: string | null | undefined,
  source: string,
): DeploymentLink | null {
  const [, word, name] = LINK_LINE.exec(text ?? '') ?? [];
  // The text may be anything, and must not make the incident invalid.
  if (!name || name.length > TEXT_LIMITS.externalId || /\p{Cc}/u.test(name)) {
    return null;
  }
  const sha = /^deployment$/i.test(word) ? WHOLE_SHA : SHA;
  return sha.test(name)
    ? { sha: name.toLocaleLowerCase('en-US') }
    : linkById(name, source);
}

const NUMBERED = /^(?:sev|severity)\W*(\d)$/;
const NAMED = /^(?:sev|severity)\W+(\w+)$/;
const BARE = new Set(['critical', 'major', 'minor', 'high', 'medium', 'low']);

/**
 * Returns the severity in labels: `sev1`, `severity::1` and `severity/1` give `sev1`,
 * `severity: high` gives `high`, `critical` itself. The first match counts.
 */
export function severityIn(labels: string[]): string | undefined {
  for (const label of labels) {
    const name = label.trim().toLocaleLowerCase('en-US');
    const number = NUMBERED.exec(name)?.[1];
    if (number) {
      return `sev${number}`;
    }
    const word = NAMED.exec(name)?.[1];
    if (word) {
      return word;
    }
    if (BARE.has(name)) {
      return name;
    }
  }
  return undefined;
}

/** An issue of any forge. Times are in milliseconds. */
interface ForgeIssue {
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
  /** True if the forge's own type marks it as an incident, so that labels do not matter. */
  isIncident?: boolean;
  /** True if it may have been an incident before: it lost labels, was deleted or transferred. */
  wasIncident: boolean;
}

/** Returns whether one of the labels marks an issue as an incident. */
export function hasIncidentLabel(
  labels: string[],
  { incidentLabels }: IssueConfig,
): boolean {
  return labels.some(label =>
    incidentLabels.includes(label.trim().toLocaleLowerCase('en-US')),
  );
}

/** Maps an issue to an incident that starts when it is opened and ends when it is closed. */
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
      ? accepting({ ...record, deleted: true })
      : ignoring(
          `Issue ${
            record.externalId
          } has no label that makes it an incident (${forge.incidentLabels.join(
            ', ',
          )})`,
        );
  }
  return accepting({
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
