import { v7 as uuid } from 'uuid';
import { DeploymentRecord } from '../../events/foldDeployment';
import { NullableRowOf, RowOf } from '../sql/BatchSql';

/** What of a deployment is the sender's word, and what it comes to at once. */
export const DEPLOYMENT_COLUMNS = {
  public_id: 'text',
  source: 'text',
  external_id: 'text',
  service_id: 'integer',
  environment: 'text',
  status: 'text',
  started_at: 'bigint',
  finished_at: 'bigint',
  version: 'text',
  triggered_by: 'text',
  repository_id: 'integer',
  commit_sha: 'text',
  commit_message: 'text',
  commit_author: 'text',
  lists_changes: 'smallint',
  rollback_of: 'text',
  unplanned: 'smallint',
  url: 'text',
  revision: 'bigint',
  counted: 'smallint',
  head_position: 'bigint',
} as const;

type Required = Pick<
  RowOf<typeof DEPLOYMENT_COLUMNS>,
  'public_id' | 'source' | 'external_id' | 'service_id' | 'counted'
>;

/** A row of `deployments` without what is derived later. */
export type DeploymentRow = Omit<
  NullableRowOf<typeof DEPLOYMENT_COLUMNS>,
  keyof Required
> &
  Required;

/** Makes the row of a deployment. */
export function toDeploymentRow(
  record: DeploymentRecord,
  related: {
    publicId: string | undefined;
    serviceId: number;
    repositoryId: number | null;
    headPosition: number | null;
  },
): DeploymentRow {
  return {
    public_id: related.publicId ?? `deploy-${uuid()}`,
    source: record.source,
    external_id: record.externalId,
    service_id: related.serviceId,
    environment: record.environment,
    status: record.status,
    started_at: record.startedAt,
    finished_at: record.finishedAt,
    version: record.version,
    triggered_by: record.triggeredBy,
    repository_id: related.repositoryId,
    commit_sha: record.commit?.sha ?? null,
    commit_message: record.commit?.message ?? null,
    commit_author: record.commit?.author ?? null,
    lists_changes: Number(record.changes.length > 0),
    rollback_of: record.rollbackOf,
    unplanned: Number(record.unplanned),
    url: record.url,
    revision: record.revision,
    counted: Number(record.counted),
    head_position: related.headPosition,
  };
}
