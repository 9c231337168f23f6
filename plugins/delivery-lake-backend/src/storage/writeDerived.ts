import type { Knex } from 'knex';
import {
  bucketOf,
  DurationRow,
  IncidentUpdate,
  isRejudged,
  JudgedDeployment,
  StoredHistory,
} from '../derivation/compareDerived';
import { DURATION_KIND, DurationKind } from '../derivation/ServiceHistory';
import {
  batchesOf,
  type BigInteger,
  nullableNumber,
  queryRows,
  recordTable,
} from './BatchSql';

/** Writes the verdicts on deployments that have changed. */
export async function writeVerdicts(
  trx: Knex.Transaction,
  judged: readonly JudgedDeployment[],
): Promise<void> {
  for (const batch of batchesOf(judged.filter(isRejudged))) {
    const list = recordTable(
      trx,
      'r',
      {
        id: 'bigint',
        failed: 'integer',
        failure_cause: 'text',
        rework: 'integer',
        rework_cause: 'text',
        recovered_at: 'bigint',
        rolled_back_at: 'bigint',
      },
      batch.map(({ id, after }) => ({
        id,
        failed: after.failed,
        failure_cause: after.failureCause,
        rework: after.rework,
        rework_cause: after.reworkCause,
        recovered_at: after.recoveredAt,
        rolled_back_at: after.rolledBackAt,
      })),
    );
    await trx.raw(
      `UPDATE deployments SET failed = r.failed, failure_cause = r.failure_cause,
         rework = r.rework, rework_cause = r.rework_cause,
         recovered_at = r.recovered_at, rolled_back_at = r.rolled_back_at
       FROM ${list.sql} WHERE deployments.id = r.id`,
      list.bindings,
    );
  }
}

/**
 * Clears the derived data of deployments that no longer count, even if they moved to another
 * service; a partial index contains only these.
 */
export async function clearUncounted(trx: Knex.Transaction): Promise<void> {
  await trx('deployments')
    .whereRaw(
      'counted = 0 AND (failed = 1 OR rework = 1 OR rolled_back_at IS NOT NULL)',
    )
    .update({
      failed: 0,
      failure_cause: null,
      rework: 0,
      rework_cause: null,
      recovered_at: null,
      rolled_back_at: null,
    });
}

/** Writes the attributions of incidents to deployments. */
export async function writeAttributions(
  trx: Knex.Transaction,
  updates: readonly IncidentUpdate[],
): Promise<void> {
  if (updates.length === 0) {
    return;
  }
  const list = recordTable(
    trx,
    'r',
    {
      id: 'bigint',
      deployment_id: 'bigint',
      attribution: 'text',
      service_id: 'integer',
      finished_at: 'bigint',
    },
    updates.map(({ id, after }) => ({
      id,
      deployment_id: after.deploymentId,
      attribution: after.attribution,
      service_id: after.deploymentServiceId,
      finished_at: after.deploymentFinishedAt,
    })),
  );
  await trx.raw(
    `UPDATE incidents SET deployment_id = r.deployment_id, attribution = r.attribution,
       deployment_service_id = r.service_id, deployment_finished_at = r.finished_at
     FROM ${list.sql} WHERE incidents.id = r.id`,
    list.bindings,
  );
}

/** A row of `durations`. */
interface StoredRow {
  kind: DurationKind;
  service_id: number;
  subject_id: BigInteger;
  ended_at: BigInteger;
  duration: BigInteger | null;
  deployment_id: BigInteger | null;
}

const KEY = {
  kind: 'integer',
  service_id: 'integer',
  subject_id: 'bigint',
} as const;

const COLUMNS =
  'd.kind, d.service_id, d.subject_id, d.ended_at, d.duration, d.deployment_id';

function toRow(row: StoredRow): DurationRow {
  return {
    kind: row.kind,
    serviceId: row.service_id,
    subjectId: Number(row.subject_id),
    endedAt: Number(row.ended_at),
    duration: nullableNumber(row.duration),
    deploymentId: nullableNumber(row.deployment_id),
  };
}

/** Loads the durations that the derivation of these histories replaces. */
export async function loadDurations(
  trx: Knex.Transaction,
  histories: readonly StoredHistory[],
): Promise<DurationRow[]> {
  const moments = histories.flatMap(
    ({ serviceId, since, outagesFrom, from }) => [
      { kind: DURATION_KIND.lead, service_id: serviceId, moment: since },
      {
        kind: DURATION_KIND.restore,
        service_id: serviceId,
        moment: outagesFrom,
      },
      { kind: DURATION_KIND.recovery, service_id: serviceId, moment: from },
    ],
  );
  const list = recordTable(
    trx,
    'r',
    { kind: 'integer', service_id: 'integer', moment: 'bigint' },
    moments,
  );
  // Recoveries are selected by when their deployment finished, not by when they ended.
  const since = await queryRows<StoredRow>(
    trx,
    `SELECT ${COLUMNS} FROM ${list.sql} CROSS JOIN durations d
     WHERE d.kind = r.kind AND d.service_id = r.service_id AND d.ended_at >= r.moment
       AND (d.kind <> ${DURATION_KIND.recovery} OR d.ended_at - d.duration >= r.moment)`,
    list.bindings,
  );
  const targets = recordTable(
    trx,
    'r',
    KEY,
    histories.flatMap(({ serviceId, targets: own }) =>
      own.map(({ id }) => ({
        kind: DURATION_KIND.recovery,
        service_id: serviceId,
        subject_id: id,
      })),
    ),
  );
  const ofTargets = await queryRows<StoredRow>(
    trx,
    `SELECT ${COLUMNS} FROM ${targets.sql} CROSS JOIN durations d
     WHERE d.kind = r.kind AND d.service_id = r.service_id AND d.subject_id = r.subject_id`,
    targets.bindings,
  );
  return [...since, ...ofTargets].map(toRow);
}

/** Removes durations by their keys. */
export async function deleteDurations(
  trx: Knex.Transaction,
  rows: readonly DurationRow[],
): Promise<void> {
  for (const batch of batchesOf(rows)) {
    const list = recordTable(
      trx,
      'r',
      KEY,
      batch.map(({ kind, serviceId, subjectId }) => ({
        kind,
        service_id: serviceId,
        subject_id: subjectId,
      })),
    );
    await trx.raw(
      `DELETE FROM durations WHERE (kind, service_id, subject_id) IN (SELECT r.kind, r.service_id, r.subject_id FROM ${list.sql})`,
      list.bindings,
    );
  }
}

/** Inserts or updates durations. */
export async function writeDurations(
  trx: Knex.Transaction,
  rows: readonly DurationRow[],
): Promise<void> {
  for (const batch of batchesOf(rows)) {
    const list = recordTable(
      trx,
      'r',
      {
        ...KEY,
        ended_at: 'bigint',
        duration: 'bigint',
        bucket: 'integer',
        deployment_id: 'bigint',
      },
      batch.map(row => ({
        kind: row.kind,
        service_id: row.serviceId,
        subject_id: row.subjectId,
        ended_at: row.endedAt,
        duration: row.duration,
        bucket: bucketOf(row),
        deployment_id: row.deploymentId,
      })),
    );
    const names =
      'kind, service_id, subject_id, ended_at, duration, bucket, deployment_id';
    // "WHERE true" keeps SQLite from reading ON as part of a join.
    await trx.raw(
      `INSERT INTO durations (${names}) SELECT ${names} FROM ${list.sql} WHERE true
       ON CONFLICT (kind, service_id, subject_id) DO UPDATE SET
         ended_at = excluded.ended_at, duration = excluded.duration,
         bucket = excluded.bucket, deployment_id = excluded.deployment_id`,
      list.bindings,
    );
  }
}
