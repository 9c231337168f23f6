import type { Knex } from 'knex';
import { DerivedService } from '../derivation/deriveService';
import { recordTable } from './BatchSql';
import { DeploymentFlags } from './derivedDeployments';
import { StoredIncident } from './derivedIncidents';
import { StoredHistory } from './loadHistories';
import { Echo } from './marks';

// Keeps the JSON of one statement within a few megabytes.
const ROWS_PER_STATEMENT = 10_000;

/** The derived data of a deployment, before and after. */
export interface JudgedDeployment {
  id: number;
  finishedAt: number;
  /** Before the scope: its day is not counted again. */
  isTarget: boolean;
  before: DeploymentFlags;
  after: DeploymentFlags;
}

/** Returns whether deriving changed a deployment. */
export function isRejudged({ before, after }: JudgedDeployment): boolean {
  return (
    before.failed !== after.failed ||
    before.failureCause !== after.failureCause ||
    before.rework !== after.rework ||
    before.reworkCause !== after.reworkCause ||
    before.recoveredAt !== after.recoveredAt ||
    before.rolledBackAt !== after.rolledBackAt
  );
}

/** Pairs derived with stored data for every deployment. */
export function compareDeploymentFlags(
  { deployments, targets, from }: StoredHistory,
  { verdicts, rework }: DerivedService,
): JudgedDeployment[] {
  const stored = new Map(
    [...targets, ...deployments].map(each => [each.id, each.stored]),
  );
  return verdicts.map(verdict => {
    const { deployment, failureCause, recoveredAt, rolledBackAt } = verdict;
    const before = stored.get(deployment.id)!;
    const isTarget = deployment.finishedAt < from;
    const reworkCause = isTarget
      ? before.reworkCause
      : (rework.get(deployment.id) ?? null);
    return {
      id: deployment.id,
      finishedAt: deployment.finishedAt,
      isTarget,
      before,
      after: {
        failed: failureCause ? 1 : 0,
        failureCause: failureCause ?? null,
        rework: reworkCause ? 1 : 0,
        reworkCause,
        recoveredAt: recoveredAt ?? null,
        rolledBackAt: rolledBackAt ?? null,
      },
    };
  });
}

/** Writes changed verdicts. */
export async function writeDeployments(
  trx: Knex.Transaction,
  judged: readonly JudgedDeployment[],
): Promise<void> {
  const changed = judged.filter(isRejudged);
  for (let start = 0; start < changed.length; start += ROWS_PER_STATEMENT) {
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
      changed.slice(start, start + ROWS_PER_STATEMENT).map(({ id, after }) => ({
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
 * Clears the derived data of deployments that no longer count, whatever their service is
 * now; a partial index contains only these.
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

type Attributed = StoredIncident['stored'];

/** A changed attribution. */
export interface IncidentUpdate {
  id: number;
  before: Attributed;
  after: Attributed;
}

const NOTHING: Attributed = {
  deploymentId: null,
  attribution: null,
  deploymentServiceId: null,
  deploymentFinishedAt: null,
};

function isSame(a: Attributed, b: Attributed): boolean {
  return (
    a.deploymentId === b.deploymentId &&
    a.attribution === b.attribution &&
    a.deploymentServiceId === b.deploymentServiceId &&
    a.deploymentFinishedAt === b.deploymentFinishedAt
  );
}

function echoOf({ deploymentServiceId, deploymentFinishedAt }: Attributed) {
  return deploymentServiceId === null || deploymentFinishedAt === null
    ? []
    : [{ serviceId: deploymentServiceId, since: deploymentFinishedAt }];
}

/**
 * Compares the attributions of a service's incidents, and finds the other services that are
 * affected: those whose deployments caused its incidents, and those whose incidents its
 * deployments caused.
 */
export function compareIncidents(
  { serviceId, storedIncidents, scope }: StoredHistory,
  { incidents }: DerivedService,
): { updates: IncidentUpdate[]; echoes: Echo[] } {
  const derived = new Map(
    incidents.map(({ incident, deployment, attribution }) => [
      incident.id,
      deployment && attribution
        ? {
            deploymentId: deployment.id,
            attribution,
            deploymentServiceId: deployment.serviceId,
            deploymentFinishedAt: deployment.finishedAt,
          }
        : NOTHING,
    ]),
  );
  const updates: IncidentUpdate[] = [];
  const echoes: Echo[] = [];
  for (const incident of storedIncidents.values()) {
    const after = derived.get(incident.id) ?? NOTHING;
    const isChanged = !isSame(incident.stored, after);
    const isOwn =
      incident.serviceId === undefined || incident.serviceId === serviceId;
    if (isOwn) {
      if (isChanged) {
        updates.push({ id: incident.id, before: incident.stored, after });
      }
      if (isChanged || scope.isFirstHand) {
        echoes.push(...echoOf(incident.stored), ...echoOf(after));
      }
    } else if (isChanged && incident.serviceId !== undefined) {
      echoes.push({
        serviceId: incident.serviceId,
        since: incident.startedAt,
      });
    }
  }
  return { updates, echoes };
}

/** Writes attributions. */
export async function writeIncidents(
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
