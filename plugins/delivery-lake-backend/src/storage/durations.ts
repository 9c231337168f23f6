import type { Knex } from 'knex';
import { DerivedService } from '../derivation/deriveService';
import {
  DURATION_KIND,
  durationBucket,
  DurationKind,
} from '../derivation/ServiceHistory';
import { queryRows, recordTable } from './BatchSql';
import { toNumber } from './derivedDeployments';
import { StoredHistory } from './loadHistories';

/** A row of the table `durations`. */
export interface DurationRow {
  kind: DurationKind;
  serviceId: number;
  subjectId: number;
  /** Milliseconds since the Unix epoch. The row counts on this day. */
  endedAt: number;
  /** The duration in milliseconds; null for a delivered change with inconsistent times. */
  duration: number | null;
  deploymentId: number | null;
}

/** Returns the histogram bucket of a row; null without a duration. */
export function bucketOf({ duration }: DurationRow): number | null {
  return duration === null ? null : durationBucket(duration);
}

/** Returns all durations derived for a service. */
export function toDurations(
  serviceId: number,
  { deliveries, outages, verdicts }: DerivedService,
): DurationRow[] {
  return [
    ...deliveries.map(({ change, deployment, leadTime }) => ({
      kind: DURATION_KIND.lead,
      serviceId,
      subjectId: change.id,
      endedAt: deployment.finishedAt,
      duration: leadTime ?? null,
      deploymentId: deployment.id,
    })),
    ...outages
      .filter(({ endedAt }) => endedAt !== Infinity)
      .map(({ firstIncidentId, startedAt, endedAt }) => ({
        kind: DURATION_KIND.restore,
        serviceId,
        subjectId: firstIncidentId,
        endedAt,
        duration: endedAt - startedAt,
        deploymentId: null,
      })),
    ...verdicts.flatMap(({ deployment, recoveredAt }) =>
      recoveredAt === undefined
        ? []
        : [
            {
              kind: DURATION_KIND.recovery,
              serviceId,
              subjectId: deployment.id,
              endedAt: recoveredAt,
              duration: recoveredAt - deployment.finishedAt,
              deploymentId: deployment.id,
            },
          ],
    ),
  ];
}

// Keeps each statement, including its JSON, within a few megabytes.
const ROWS_PER_STATEMENT = 10_000;

interface StoredRow {
  kind: DurationKind;
  service_id: number;
  subject_id: string | number;
  ended_at: string | number;
  duration: string | number | null;
  deployment_id: string | number | null;
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
    duration: toNumber(row.duration) ?? null,
    deploymentId: toNumber(row.deployment_id) ?? null,
  };
}

/** Loads the durations that deriving these histories replaces. */
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
  // A recovery is stored at the time its deployment finished.
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

function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += ROWS_PER_STATEMENT) {
    yield items.slice(start, start + ROWS_PER_STATEMENT);
  }
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
