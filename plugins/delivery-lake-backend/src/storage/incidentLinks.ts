import type { Knex } from 'knex';
import { StoredDeployment, StoredIncident } from '../derivation/compareDerived';
import { compareDeployments } from '../derivation/ServiceHistory';
import { senderKey } from '../events/LakeEvent';
import { queryRows, recordTable } from './BatchSql';
import {
  loadDeploymentsByCommit,
  loadDeploymentsByKey,
  loadDeploymentsByPublicId,
} from './derivedDeployments';

/** Returns the newest deployment that had finished when the incident started, or else the newest. */
function newestFor<D extends StoredDeployment>(
  { startedAt }: StoredIncident,
  deployments: D[],
): D | undefined {
  const newestFirst = [...deployments].sort((a, b) => compareDeployments(b, a));
  return (
    newestFirst.find(({ finishedAt }) => finishedAt <= startedAt) ??
    newestFirst[0]
  );
}

/** Loads the components of services, by id; a service without a component has none. */
async function loadComponents(
  trx: Knex.Transaction,
  serviceIds: readonly number[],
): Promise<Map<number, string>> {
  if (serviceIds.length === 0) {
    return new Map();
  }
  const list = recordTable(
    trx,
    'r',
    { id: 'integer' },
    [...new Set(serviceIds)].map(id => ({ id })),
  );
  const rows = await queryRows<{ id: number; entity_ref: string }>(
    trx,
    `SELECT s.id, s.entity_ref FROM ${list.sql} CROSS JOIN services s
     WHERE s.id = r.id AND s.entity_ref IS NOT NULL`,
    list.bindings,
  );
  return new Map(rows.map(({ id, entity_ref }) => [id, entity_ref]));
}

/**
 * Finds the deployments that incidents link to by the lake's id, by incident id. Incidents whose
 * sender may only report for one component are not linked to deployments of others; a component may
 * be deployed under several names.
 *
 * @param incidents - of known services.
 */
async function resolveIds(
  trx: Knex.Transaction,
  incidents: readonly StoredIncident[],
): Promise<Map<number, StoredDeployment>> {
  const byId = await loadDeploymentsByPublicId(
    trx,
    incidents.flatMap(({ linkId }) => linkId ?? []),
  );
  const linked = incidents.flatMap(incident => {
    const deployment = byId.get(incident.linkId ?? '');
    return deployment ? [{ incident, deployment }] : [];
  });
  const components = await loadComponents(
    trx,
    linked.flatMap(({ incident, deployment }) =>
      incident.linkIsOwn ? [incident.serviceId!, deployment.serviceId] : [],
    ),
  );
  const ownerOf = (id: number) => components.get(id) ?? id;
  return new Map(
    linked
      .filter(
        ({ incident, deployment }) =>
          !incident.linkIsOwn ||
          ownerOf(incident.serviceId!) === ownerOf(deployment.serviceId),
      )
      .map(({ incident, deployment }) => [incident.id, deployment]),
  );
}

/**
 * Finds the counted deployments that incidents link to, by incident id: by the sender's
 * key, then the lake's id, then the commit within the incident's service. Only production
 * incidents with a service have one.
 */
export async function resolveLinks(
  trx: Knex.Transaction,
  all: readonly StoredIncident[],
): Promise<Map<number, StoredDeployment>> {
  const incidents = all.filter(
    ({ isProduction, serviceId, linkId, linkExternalId, linkSha }) =>
      isProduction &&
      serviceId !== undefined &&
      (linkId ?? linkExternalId ?? linkSha) !== undefined,
  );
  const keys = incidents.flatMap(({ linkSource, linkExternalId }) =>
    linkSource !== undefined && linkExternalId !== undefined
      ? [{ source: linkSource, externalId: linkExternalId }]
      : [],
  );
  const byKey = new Map(
    (await loadDeploymentsByKey(trx, keys)).map(each => [
      senderKey(each.source, each.externalId),
      each,
    ]),
  );
  const byId = await resolveIds(trx, incidents);
  const withCommit = Map.groupBy(
    await loadDeploymentsByCommit(
      trx,
      incidents.flatMap(({ serviceId, linkSha: sha }) =>
        serviceId !== undefined && sha !== undefined
          ? [{ serviceId, sha }]
          : [],
      ),
    ),
    ({ serviceId, sha }) => `${serviceId} ${sha}`,
  );

  const resolved = new Map<number, StoredDeployment>();
  for (const incident of incidents) {
    const deployment =
      byKey.get(
        senderKey(incident.linkSource ?? '', incident.linkExternalId ?? ''),
      ) ??
      byId.get(incident.id) ??
      newestFor(
        incident,
        withCommit.get(`${incident.serviceId} ${incident.linkSha}`) ?? [],
      );
    if (deployment) {
      resolved.set(incident.id, deployment);
    }
  }
  return resolved;
}
