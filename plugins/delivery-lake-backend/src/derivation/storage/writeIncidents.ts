import type { Knex } from 'knex';
import { DerivedService } from '../domain/deriveService';
import { StoredIncident } from './incidentRows';
import { StoredHistory } from './loadHistories';
import { Echo } from './marks';
import { recordTable } from './recordTable';

type Attributed = StoredIncident['stored'];

/** An attribution that is another one now. */
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
 * What becomes of the incidents of one service, and which other services have to
 * hear of it: those whose deployments its incidents are blamed on, and those whose
 * incidents are blamed on its own.
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
