import type { Knex } from 'knex';
import {
  Scope,
  StoredDeployment,
  StoredHistory,
  StoredIncident,
} from '../derivation/compareDerived';
import {
  compareDeployments,
  Incident,
  Rollback,
} from '../derivation/ServiceHistory';
import { senderKey } from '../events/LakeEvent';
import { loadDeliveries } from './derivedChanges';
import {
  loadDeployments,
  loadDeploymentsByKey,
  loadDeploymentsSince,
  loadRollbacksOf,
  loadRolledBackSince,
} from './derivedDeployments';
import {
  loadIncidentsOf,
  loadIncidentsSince,
  loadOutageIncidents,
  resolveLinks,
} from './derivedIncidents';

/** Loads deployments before a scope that something within it refers to or referred to. */
async function loadTargets(
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
    known.deployments.flatMap(
      ({ serviceId, source, rollbackOf, finishedAt }) =>
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

/** Returns rollbacks of targets: those before the scope, and those within it that name the target. */
function rollbacksOfTargets(
  targets: readonly StoredDeployment[],
  deployments: readonly StoredDeployment[],
  from: number,
): Rollback[] {
  const ids = new Map(
    targets.map(({ id, source, externalId }) => [
      senderKey(source, externalId),
      id,
    ]),
  );
  const known = targets.flatMap(({ id, stored: { rolledBackAt } }) =>
    rolledBackAt !== null && rolledBackAt < from
      ? [{ deploymentId: id, finishedAt: rolledBackAt }]
      : [],
  );
  const named = deployments.flatMap(({ source, rollbackOf, finishedAt }) => {
    const deploymentId = rollbackOf && ids.get(senderKey(source, rollbackOf));
    return deploymentId && finishedAt >= from
      ? [{ deploymentId, finishedAt }]
      : [];
  });
  return [...known, ...named];
}

/** Returns the services whose histories include an incident. */
function servicesOf(
  incident: StoredIncident,
  linked: StoredDeployment | undefined,
): Set<number> {
  const services = new Set<number>();
  for (const id of [
    incident.serviceId,
    incident.stored.deploymentServiceId,
    linked?.serviceId,
  ]) {
    if (typeof id === 'number') {
      services.add(id);
    }
  }
  return services;
}

function toIncident(
  { id, serviceId, startedAt, resolvedAt }: StoredIncident,
  linked?: StoredDeployment,
): Incident {
  return { id, serviceId, startedAt, resolvedAt, linked };
}

/** Loads the histories of services, with one query per table for all of them. */
export async function loadHistories(
  trx: Knex.Transaction,
  scopes: readonly Scope[],
  incidentWindow: number,
): Promise<StoredHistory[]> {
  const fromMoments = scopes.map(({ serviceId, from }) => ({
    serviceId,
    moment: from,
  }));
  const deployments = await loadDeploymentsSince(
    trx,
    scopes.map(({ serviceId, contextFrom }) => ({
      serviceId,
      moment: contextFrom,
    })),
  );
  deployments.sort(compareDeployments);
  const ownDeployments = Map.groupBy(deployments, each => each.serviceId);

  const incidents = await loadIncidentsSince(trx, fromMoments);
  const links = await resolveLinks(trx, incidents);
  const targets = await loadTargets(trx, scopes, {
    deployments,
    incidents,
    links,
  });
  const settled = await loadIncidentsOf(
    trx,
    targets.map(({ id }) => id),
  );
  const rollbacks = await loadRollbacksOf(trx, fromMoments);
  const outages = await loadOutageIncidents(
    trx,
    scopes.map(({ serviceId, from }) => ({
      serviceId,
      moment: (ownDeployments.get(serviceId) ?? []).reduce(
        (earliest, { startedAt, finishedAt }) =>
          finishedAt >= from ? Math.min(earliest, startedAt) : earliest,
        from,
      ),
    })),
  );
  const deliveries = await loadDeliveries(trx, scopes, ownDeployments);

  const ownTargets = Map.groupBy(targets, each => each.serviceId);
  const ownIncidents = new Map<number, StoredIncident[]>();
  for (const incident of incidents) {
    for (const id of servicesOf(incident, links.get(incident.id))) {
      const known = ownIncidents.get(id);
      if (known) {
        known.push(incident);
      } else {
        ownIncidents.set(id, [incident]);
      }
    }
  }
  const rollbacksOf = Map.groupBy(rollbacks, each => each.deploymentId);
  return scopes.map(scope => {
    const { serviceId, since, from } = scope;
    const own = ownDeployments.get(serviceId) ?? [];
    const stored = ownIncidents.get(serviceId) ?? [];
    const storedById = new Map(stored.map(each => [each.id, each]));
    const targetsHere = ownTargets.get(serviceId) ?? [];
    const targetIds = new Set(targetsHere.map(({ id }) => id));
    return {
      scope,
      serviceId,
      since,
      from,
      incidentWindow,
      deployments: own,
      targets: targetsHere,
      rollbacks: [
        ...rollbacksOfTargets(targetsHere, own, from),
        ...own.flatMap(({ id }) => rollbacksOf.get(id) ?? []),
      ],
      incidents: stored
        .filter(each => each.isProduction && each.serviceId !== undefined)
        .map(each => toIncident(each, links.get(each.id))),
      settledIncidents: settled.flatMap(({ id, resolvedAt, stored: last }) =>
        last.deploymentId !== null &&
        targetIds.has(last.deploymentId) &&
        !storedById.has(id)
          ? [
              {
                deploymentId: last.deploymentId,
                attribution:
                  last.attribution === 'linked'
                    ? ('linked' as const)
                    : ('guessed' as const),
                resolvedAt,
              },
            ]
          : [],
      ),
      outageIncidents: (outages.get(serviceId)?.incidents ?? []).map(each =>
        toIncident(each),
      ),
      storedIncidents: storedById,
      outagesFrom: outages.get(serviceId)?.from ?? from,
      ...deliveries.get(serviceId)!,
    };
  });
}
