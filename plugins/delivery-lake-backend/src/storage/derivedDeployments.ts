import type { Knex } from 'knex';
import { StoredDeployment } from '../derivation/compareDerived';
import { Rollback } from '../derivation/ServiceHistory';
import {
  type BigInteger,
  momentTable,
  nullableNumber,
  optionalNumber,
  queryRows,
  recordTable,
  RecordTable,
  type ServiceMoment,
} from './BatchSql';

interface DeploymentRow {
  id: BigInteger;
  service_id: number;
  source: string;
  external_id: string;
  public_id: string;
  status: string;
  started_at: BigInteger;
  finished_at: BigInteger;
  repository_id: number | null;
  head_position: BigInteger | null;
  lists_changes: number;
  rollback_of: string | null;
  unplanned: number;
  failed: number;
  failure_cause: string | null;
  rework: number;
  rework_cause: string | null;
  recovered_at: BigInteger | null;
  rolled_back_at: BigInteger | null;
}

const COLUMNS =
  'd.id, d.service_id, d.source, d.external_id, d.status, d.started_at, d.finished_at, d.repository_id, d.head_position, d.lists_changes, d.rollback_of, d.unplanned, d.failed, d.failure_cause, d.rework, d.rework_cause, d.recovered_at, d.rolled_back_at';

function toDeployment(row: DeploymentRow): StoredDeployment {
  return {
    id: Number(row.id),
    serviceId: row.service_id,
    source: row.source,
    externalId: row.external_id,
    startedAt: Number(row.started_at),
    finishedAt: Number(row.finished_at),
    isRolledBack: row.status === 'ROLLED_BACK',
    repositoryId: row.repository_id ?? undefined,
    headPosition: optionalNumber(row.head_position),
    listsChanges: row.lists_changes === 1,
    rollbackOf: row.rollback_of ?? undefined,
    unplanned: row.unplanned === 1,
    stored: {
      failed: row.failed,
      failureCause: row.failure_cause,
      rework: row.rework,
      reworkCause: row.rework_cause,
      recoveredAt: nullableNumber(row.recovered_at),
      rolledBackAt: nullableNumber(row.rolled_back_at),
    },
  };
}

/** Selects the counted deployments `d` that match the rows `r` of a list. */
function selectMatching<R extends DeploymentRow>(
  trx: Knex.Transaction,
  list: RecordTable,
  { where, more = '' }: { where: string; more?: string },
): Promise<R[]> {
  return queryRows<R>(
    trx,
    `SELECT ${COLUMNS}${more} FROM ${list.sql} CROSS JOIN deployments d
     WHERE d.counted = 1 AND ${where}`,
    list.bindings,
  );
}

/** Loads counted deployments of services, each since a moment. */
export async function loadDeploymentsSince(
  trx: Knex.Transaction,
  moments: readonly ServiceMoment[],
): Promise<StoredDeployment[]> {
  const rows = await selectMatching(trx, momentTable(trx, moments), {
    where: 'd.service_id = r.service_id AND d.finished_at >= r.moment',
  });
  return rows.map(toDeployment);
}

/**
 * Loads counted deployments that, according to stored data, have been rolled back since a moment.
 */
export async function loadRolledBackSince(
  trx: Knex.Transaction,
  moments: readonly ServiceMoment[],
): Promise<StoredDeployment[]> {
  const rows = await selectMatching(trx, momentTable(trx, moments), {
    where: `d.service_id = r.service_id
       AND d.rolled_back_at IS NOT NULL AND d.rolled_back_at >= r.moment`,
  });
  return rows.map(toDeployment);
}

/** Loads counted deployments by id. */
export async function loadDeployments(
  trx: Knex.Transaction,
  ids: readonly number[],
): Promise<StoredDeployment[]> {
  if (ids.length === 0) {
    return [];
  }
  const list = recordTable(
    trx,
    'r',
    { id: 'bigint' },
    ids.map(id => ({ id })),
  );
  const rows = await selectMatching(trx, list, { where: 'd.id = r.id' });
  return rows.map(toDeployment);
}

/** Loads counted deployments by key. */
export async function loadDeploymentsByKey(
  trx: Knex.Transaction,
  keys: readonly { source: string; externalId: string }[],
): Promise<StoredDeployment[]> {
  if (keys.length === 0) {
    return [];
  }
  const list = recordTable(
    trx,
    'r',
    { source: 'text', external_id: 'text' },
    keys.map(({ source, externalId }) => ({ source, external_id: externalId })),
  );
  const rows = await selectMatching(trx, list, {
    where: 'd.source = r.source AND d.external_id = r.external_id',
  });
  return rows.map(toDeployment);
}

/** Loads counted deployments by public id. */
export async function loadDeploymentsByPublicId(
  trx: Knex.Transaction,
  publicIds: readonly string[],
): Promise<Map<string, StoredDeployment>> {
  if (publicIds.length === 0) {
    return new Map();
  }
  const list = recordTable(
    trx,
    'r',
    { public_id: 'text' },
    publicIds.map(id => ({ public_id: id })),
  );
  const rows = await selectMatching(trx, list, {
    where: 'd.public_id = r.public_id',
    more: ', d.public_id',
  });
  return new Map(rows.map(row => [row.public_id, toDeployment(row)]));
}

/** Loads counted deployments of a service by commit. */
export async function loadDeploymentsByCommit(
  trx: Knex.Transaction,
  commits: readonly { serviceId: number; sha: string }[],
): Promise<(StoredDeployment & { sha: string })[]> {
  if (commits.length === 0) {
    return [];
  }
  const list = recordTable(
    trx,
    'r',
    { service_id: 'integer', sha: 'text' },
    commits.map(({ serviceId, sha }) => ({ service_id: serviceId, sha })),
  );
  const rows = await selectMatching<DeploymentRow & { sha: string }>(
    trx,
    list,
    {
      where: 'd.commit_sha = r.sha AND d.service_id = r.service_id',
      more: ', r.sha',
    },
  );
  return rows.map(row => ({ ...toDeployment(row), sha: row.sha }));
}

/** Loads rollbacks, of any time, that name deployments that finished since a moment. */
export async function loadRollbacksOf(
  trx: Knex.Transaction,
  moments: readonly ServiceMoment[],
): Promise<Rollback[]> {
  const list = momentTable(trx, moments);
  const rows = await queryRows<{
    id: BigInteger;
    finished_at: BigInteger;
  }>(
    trx,
    `SELECT d.id, b.finished_at
     FROM ${list.sql} CROSS JOIN deployments d CROSS JOIN deployments b
     WHERE d.counted = 1 AND d.service_id = r.service_id AND d.finished_at >= r.moment
       AND b.rollback_of IS NOT NULL AND b.source = d.source
       AND b.rollback_of = d.external_id AND b.service_id = d.service_id
       AND b.counted = 1`,
    list.bindings,
  );
  return rows.map(row => ({
    deploymentId: Number(row.id),
    finishedAt: Number(row.finished_at),
  }));
}

/** A service and a repository it was deployed from. */
interface ServiceRepository {
  serviceId: number;
  repositoryId: number;
}

/**
 * Loads the furthest position that each service had reached before a moment; services without one
 * are missing.
 */
export async function loadBaselines(
  trx: Knex.Transaction,
  repositories: readonly (ServiceRepository & { before: number })[],
): Promise<(ServiceRepository & { position: number })[]> {
  const list = recordTable(
    trx,
    'r',
    { service_id: 'integer', repository_id: 'integer', moment: 'bigint' },
    repositories.map(({ serviceId, repositoryId, before }) => ({
      service_id: serviceId,
      repository_id: repositoryId,
      moment: before,
    })),
  );
  // Sorted and limited, because the furthest position is among the latest deployments.
  const rows = await queryRows<{
    service_id: number;
    repository_id: number;
    position: BigInteger | null;
  }>(
    trx,
    `SELECT r.service_id, r.repository_id, (
       SELECT d.head_position FROM deployments d
       WHERE d.counted = 1 AND d.head_position IS NOT NULL
         AND d.service_id = r.service_id AND d.repository_id = r.repository_id
         AND d.finished_at < r.moment
       ORDER BY d.head_position DESC LIMIT 1
     ) AS position FROM ${list.sql}`,
    list.bindings,
  );
  return rows.flatMap(row =>
    row.position === null
      ? []
      : [
          {
            serviceId: row.service_id,
            repositoryId: row.repository_id,
            position: Number(row.position),
          },
        ],
  );
}
