import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isoOf } from '@slipway/entity-contract';
import {
  DeliveredChange,
  Deployment,
  DeploymentDetails,
  IncidentDetails,
} from '@slipway/plugin-delivery-lake-common';
import { stringify } from 'csv-stringify';
import type { Response } from 'express';
import { scopeName } from '../scope/ScopeResolver';
import { LakeService } from '../storage/services';
import { LakeChange, LakeDeployment, LakeIncident } from './records';

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 1000);
}

function secondsBetween(start: number, end: number | null): number | null {
  return end === null ? null : seconds(end - start);
}

/** Presents the owners of a service with the names that query parameters use. */
function ownership(
  service: LakeService | null,
): Pick<DeploymentDetails, 'entityRef' | 'team' | 'project'> {
  const { entityRef = null, team, project } = service ?? {};
  return {
    entityRef,
    team: team ? scopeName('team', team) : null,
    project: project ? scopeName('project', project) : null,
  };
}

/** Presents a deployment in the format of the contract's history. */
export function presentDeployment(stored: LakeDeployment): Deployment {
  const { id, version, environment, status, triggeredBy, commit } = stored;
  return {
    ...{ id, version, environment, status },
    startTime: isoOf(stored.startedAt),
    endTime: isoOf(stored.finishedAt),
    duration: secondsBetween(stored.startedAt, stored.finishedAt),
    ...{ triggeredBy, commit },
  };
}

/** Presents a deployment with all its details. */
export function presentDetails(stored: LakeDeployment): DeploymentDetails {
  const { repository, url, source, counted, incidents } = stored;
  const { failed, failureCause, rework, reworkCause } = stored;
  return {
    ...presentDeployment(stored),
    service: stored.service.name,
    ...ownership(stored.service),
    ...{ repository, url, source, counted },
    ...{ failed, failureCause, rework, reworkCause },
    recoveredAt: isoOf(stored.recoveredAt),
    incidents,
  };
}

/**
 * Presents a change with its lead time in whole seconds.
 *
 * @param options.withAuthor - false omits the author, and times that would reveal the author to a
 * colleague.
 */
export function presentChange(
  stored: LakeChange,
  { withAuthor }: { withAuthor: boolean },
): DeliveredChange {
  const { author, committedAt, leadTime, ...change } = stored;
  if (!withAuthor) {
    return {
      ...change,
      author: null,
      committedAt: null,
      leadTimeSeconds: null,
    };
  }
  return {
    ...change,
    author,
    committedAt: isoOf(committedAt),
    leadTimeSeconds: leadTime === null ? null : seconds(leadTime),
  };
}

/** Presents an incident with the deployment that caused it. */
export function presentIncident(stored: LakeIncident): IncidentDetails {
  const { id, title, environment, severity, url, source, deployment } = stored;
  return {
    ...{ id, title },
    service: stored.service?.name ?? null,
    ...ownership(stored.service),
    ...{ environment, severity },
    startedAt: isoOf(stored.startedAt),
    resolvedAt: isoOf(stored.resolvedAt),
    durationSeconds: secondsBetween(stored.startedAt, stored.resolvedAt),
    ...{ url, source },
    deployment: deployment && {
      id: deployment.id,
      version: deployment.version,
      endTime: isoOf(deployment.endedAt),
      guessed: deployment.guessed,
    },
  };
}

/** The columns of a CSV file: header and value. */
type Columns<T> = Record<string, (item: T) => string | number | boolean | null>;

/** Columns of `GET /deployments.csv`. */
export const DEPLOYMENT_CSV: Columns<DeploymentDetails> = {
  id: item => item.id,
  service: item => item.service,
  team: item => item.team,
  project: item => item.project,
  environment: item => item.environment,
  status: item => item.status,
  version: item => item.version,
  startTime: item => item.startTime,
  endTime: item => item.endTime,
  durationSeconds: item => item.duration,
  triggeredBy: item => item.triggeredBy,
  repository: item => item.repository,
  commitSha: item => item.commit.sha,
  commitMessage: item => item.commit.message,
  commitAuthor: item => item.commit.author,
  counted: item => item.counted,
  failed: item => item.failed,
  failureCause: item => item.failureCause,
  rework: item => item.rework,
  reworkCause: item => item.reworkCause,
  recoveredAt: item => item.recoveredAt,
  incidents: item => item.incidents.map(({ id }) => id).join(' '),
  url: item => item.url,
  source: item => item.source,
};

/** Columns of `GET /incidents.csv`. */
export const INCIDENT_CSV: Columns<IncidentDetails> = {
  id: item => item.id,
  title: item => item.title,
  service: item => item.service,
  team: item => item.team,
  project: item => item.project,
  environment: item => item.environment,
  severity: item => item.severity,
  startedAt: item => item.startedAt,
  resolvedAt: item => item.resolvedAt,
  durationSeconds: item => item.durationSeconds,
  deployment: item => item.deployment?.id ?? null,
  deploymentVersion: item => item.deployment?.version ?? null,
  deploymentGuessed: item => item.deployment?.guessed ?? null,
  url: item => item.url,
  source: item => item.source,
};

function isClientGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/**
 * Streams a CSV file (RFC 4180) at the client's pace, and stops reading when the client
 * disconnects. Texts that a spreadsheet would run as a formula are prefixed with an
 * apostrophe.
 */
export async function sendCsv<T>(
  res: Response,
  file: { name: string; columns: Columns<T>; items: AsyncIterable<T> },
): Promise<void> {
  const { columns, items, name } = file;
  res
    .type('text/csv')
    .set('Content-Disposition', `attachment; filename="${name}"`);
  const rows = Readable.from(
    (async function* cells() {
      for await (const item of items) {
        yield Object.values(columns).map(cell => cell(item));
      }
    })(),
  );
  const table = stringify({
    header: true,
    columns: Object.keys(columns),
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { boolean: String },
  });
  try {
    await pipeline(rows, table, res);
  } catch (error) {
    if (!isClientGone(error)) {
      throw error;
    }
  }
}
