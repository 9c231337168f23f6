import { Forge } from '@slipway/platform-guards';
import { ForgeConfig } from '../../config';
import { DeploymentLink } from '../../events/LakeEvent';
import { ignoring, MappedDelivery, meaning } from '../payload';

/**
 * `Deployment: deploy-…`, `Deployment: 145988746`, `Deploy: <sha>`, `Caused by: <sha>`
 * on a line of its own, as a list item, quoted, bold or as code too. Nothing in it
 * runs over the end of a line: anybody may write an issue, of line ends alone too.
 */
const LINK_LINE =
  /^[ \t>*_-]*(deployment|deploy|caused[ -]by)[*_]*[ \t]*:[ \t*_`]*([^\s`*<>]+)/im;
const SHA = /^[0-9a-f]{7,64}$/i;
/** A deployment's id may look like a short SHA (145988746); a whole one is none. */
const WHOLE_SHA = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;

/**
 * The deployment that an issue says caused the incident:
 *
 * - `Deployment: <id>`: an id of the lake (`deploy-…`), a whole SHA, or the id
 *   under which the sender of the issue reported the deployment;
 * - `Deploy: <sha>` or `Caused by: <sha>`: the commit that was deployed, or an id
 *   as above.
 *
 * @param source - whose ids are meant.
 * @returns null when it names none.
 */
export function deploymentLinkIn(
  text: string | null | undefined,
  source: string,
): DeploymentLink | null {
  const [, word, name] = LINK_LINE.exec(text ?? '') ?? [];
  if (!name) {
    return null;
  }
  if (name.startsWith('deploy-')) {
    return { id: name };
  }
  const sha = /^deployment$/i.test(word) ? WHOLE_SHA : SHA;
  return sha.test(name)
    ? { sha: name.toLocaleLowerCase('en-US') }
    : { source, externalId: name };
}
const NUMBERED = /^(?:sev|severity)\W*(\d)$/;
const NAMED = /^(?:sev|severity)\W+(\w+)$/;
const BARE = new Set(['critical', 'major', 'minor', 'high', 'medium', 'low']);

/**
 * The severity that labels give: `sev1`, `severity::1` and `severity/1` are `sev1`,
 * `severity: high` is `high`, `critical` is itself. The first that is one counts.
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

/** An issue as all forges know it. Times in milliseconds. */
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
  /** The forge itself calls it an incident, whatever its labels. */
  isIncident?: boolean;
  /** It may have been one until now: it lost labels, was deleted or moved away. */
  wasIncident: boolean;
}

/** Tells whether one of the labels makes an issue an incident. */
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
