import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeploymentDetails,
  IncidentDetails,
} from '@slipway/plugin-delivery-lake-common';
import { stringify } from 'csv-stringify';
import type { Response } from 'express';

/** The columns of a table: heading and what stands under it. */
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
 * Answers with a CSV file (RFC 4180) as fast as the client takes it, and stops
 * reading when the client goes. Texts that a
 * spreadsheet would run as a formula get an apostrophe in front.
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
