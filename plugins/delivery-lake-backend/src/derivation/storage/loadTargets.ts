import type { Knex } from 'knex';
import { Rollback } from '../domain/ServiceHistory';
import {
  loadDeployments,
  loadDeploymentsByKey,
  loadRolledBackSince,
  StoredDeployment,
} from './deploymentRows';
import { StoredIncident } from './incidentRows';
import { Scope } from './scopes';

const keyOf = (source: string, externalId: string) =>
  JSON.stringify([source, externalId]);

/** Deployments before a scope that something in it speaks of, or spoke of. */
export async function loadTargets(
  trx: Knex.Transaction,
  scopes: readonly Scope[],
  known: {
    deployments: readonly StoredDeployment[];
    incidents: readonly StoredIncident[];
    links: ReadonlyMap<number, StoredDeployment>;
  },
): Promise<StoredDeployment[]> {
  const partial = scopes.filter(({ isWhole }) => !isWhole);
  const fromOf = new Map(
    partial.map(({ serviceId, from }) => [serviceId, from]),
  );
  const isBefore = (serviceId: number | null, finishedAt: number | null) =>
    serviceId !== null &&
    finishedAt !== null &&
    finishedAt < (fromOf.get(serviceId) ?? -Infinity);

  const named = await loadDeploymentsByKey(
    trx,
    known.deployments.flatMap(({ serviceId, source, rollbackOf, finishedAt }) =>
      rollbackOf && finishedAt >= (fromOf.get(serviceId) ?? Infinity)
        ? [{ source, externalId: rollbackOf }]
        : [],
    ),
  );
  const blamed = await loadDeployments(
    trx,
    known.incidents.flatMap(({ stored }) =>
      stored.deploymentId !== null &&
      isBefore(stored.deploymentServiceId, stored.deploymentFinishedAt)
        ? [stored.deploymentId]
        : [],
    ),
  );
  const rolledBack = await loadRolledBackSince(
    trx,
    partial.map(({ serviceId, from }) => ({ serviceId, moment: from })),
  );
  const targets = [
    ...named,
    ...blamed,
    ...rolledBack,
    ...known.links.values(),
  ].filter(({ serviceId, finishedAt }) => isBefore(serviceId, finishedAt));
  return [...new Map(targets.map(each => [each.id, each])).values()];
}

/** When a target was rolled back before the scope, or by whom in it that names it. */
export function rollbacksOfTargets(
  targets: readonly StoredDeployment[],
  deployments: readonly StoredDeployment[],
  from: number,
): Rollback[] {
  const ids = new Map(
    targets.map(({ id, source, externalId }) => [
      keyOf(source, externalId),
      id,
    ]),
  );
  const known = targets.flatMap(({ id, stored: { rolledBackAt } }) =>
    rolledBackAt !== null && rolledBackAt < from
      ? [{ deploymentId: id, finishedAt: rolledBackAt }]
      : [],
  );
  const named = deployments.flatMap(({ source, rollbackOf, finishedAt }) => {
    const deploymentId = rollbackOf && ids.get(keyOf(source, rollbackOf));
    return deploymentId && finishedAt >= from
      ? [{ deploymentId, finishedAt }]
      : [];
  });
  return [...known, ...named];
}
