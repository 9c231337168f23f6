import {
  DeploymentStatus,
  FailureCause,
  ReworkCause,
} from '@slipway/plugin-delivery-lake-common';
import { LakeDeployment } from '../history/records';
import { type BigInteger, nullableNumber } from './BatchSql';
import { OWNED_SERVICE, type OwnedServiceRow, toLakeService } from './services';

/** Columns of a deployment with its service and repository, from the tables `d`, `s` and `r`. */
export const DEPLOYMENT_DETAILS = {
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
  ...OWNED_SERVICE,
} as const;

/** A row of {@link DEPLOYMENT_DETAILS}. */
export interface DeploymentDetailsRow extends OwnedServiceRow {
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
}

/**
 * Converts a row to a deployment.
 *
 * @param incidents - the incidents attributed to it.
 */
export function toDeployment(
  row: DeploymentDetailsRow,
  incidents: LakeDeployment['incidents'],
): LakeDeployment {
  return {
    rowId: Number(row.row_id),
    id: row.public_id,
    service: toLakeService(row),
    environment: row.environment,
    status: row.status,
    startedAt: Number(row.started_at),
    finishedAt: nullableNumber(row.finished_at),
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
    recoveredAt: nullableNumber(row.recovered_at),
    incidents,
  };
}
