import {
  DeploymentStatus,
  FailureCause,
  ReworkCause,
} from '@slipway/plugin-delivery-lake-common';
import { StoredDeployment } from './HistoryStore';

/** Columns of a deployment with its service and repository; `d`, `s` and `r` are their tables. */
export const DEPLOYMENT_COLUMNS = {
  row_id: 'd.id',
  public_id: 'd.public_id',
  environment: 'd.environment',
  status: 'd.status',
  started_at: 'd.started_at',
  finished_at: 'd.finished_at',
  version: 'd.version',
  triggered_by: 'd.triggered_by',
  repository: 'r.name',
  commit_sha: 'd.commit_sha',
  commit_message: 'd.commit_message',
  commit_author: 'd.commit_author',
  url: 'd.url',
  source: 'd.source',
  counted: 'd.counted',
  failed: 'd.failed',
  failure_cause: 'd.failure_cause',
  rework: 'd.rework',
  rework_cause: 'd.rework_cause',
  recovered_at: 'd.recovered_at',
  service_id: 's.id',
  service_name: 's.name',
  entity_ref: 's.entity_ref',
  team: 's.team',
  project: 's.project',
} as const;

/** PostgreSQL gives 64-bit numbers as text. */
type BigInteger = number | string;

/** A row of {@link DEPLOYMENT_COLUMNS}. */
export interface DeploymentRow {
  row_id: BigInteger;
  public_id: string;
  environment: string;
  status: DeploymentStatus;
  started_at: BigInteger;
  finished_at: BigInteger | null;
  version: string;
  triggered_by: string;
  repository: string | null;
  commit_sha: string | null;
  commit_message: string | null;
  commit_author: string | null;
  url: string | null;
  source: string;
  counted: number;
  failed: number;
  failure_cause: FailureCause | null;
  rework: number;
  rework_cause: ReworkCause | null;
  recovered_at: BigInteger | null;
  service_id: number;
  service_name: string;
  entity_ref: string | null;
  team: string | null;
  project: string | null;
}

function optional(value: BigInteger | null): number | null {
  return value === null ? null : Number(value);
}

/** @param incidents - those attributed to it. */
export function toDeployment(
  row: DeploymentRow,
  incidents: StoredDeployment['incidents'],
): StoredDeployment {
  return {
    rowId: Number(row.row_id),
    id: row.public_id,
    service: {
      id: row.service_id,
      name: row.service_name,
      entityRef: row.entity_ref,
      team: row.team,
      project: row.project,
    },
    environment: row.environment,
    status: row.status,
    startedAt: Number(row.started_at),
    finishedAt: optional(row.finished_at),
    version: row.version,
    triggeredBy: row.triggered_by,
    repository: row.repository,
    commit: {
      sha: row.commit_sha ?? '',
      message: row.commit_message ?? '',
      author: row.commit_author ?? '',
    },
    url: row.url,
    source: row.source,
    counted: row.counted === 1,
    failed: row.failed === 1,
    failureCause: row.failure_cause,
    rework: row.rework === 1,
    reworkCause: row.rework_cause,
    recoveredAt: optional(row.recovered_at),
    incidents,
  };
}
