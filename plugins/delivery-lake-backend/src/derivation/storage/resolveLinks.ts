import type { Knex } from 'knex';
import { groupBy } from '../domain/groupBy';
import {
  loadDeploymentsByCommit,
  loadDeploymentsByKey,
  loadDeploymentsByPublicId,
  StoredDeployment,
} from './deploymentRows';
import { StoredIncident } from './incidentRows';

const keyOf = (source: string, externalId: string) =>
  JSON.stringify([source, externalId]);

/** The newest that had finished when the incident began, or else the newest. */
function newestFor<D extends StoredDeployment>(
  { startedAt }: StoredIncident,
  deployments: D[],
): D | undefined {
  const newestFirst = [...deployments].sort(
    (a, b) => b.finishedAt - a.finishedAt || b.startedAt - a.startedAt,
  );
  return (
    newestFirst.find(({ finishedAt }) => finishedAt <= startedAt) ??
    newestFirst[0]
  );
}

/**
 * The counted deployments that incidents link to, by the incident's id: by the
 * sender's key, else the lake's id, else the commit within the incident's service.
 * Only production incidents of a service have any.
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
      keyOf(each.source, each.externalId),
      each,
    ]),
  );
  const byId = await loadDeploymentsByPublicId(
    trx,
    incidents.flatMap(({ linkId }) => linkId ?? []),
  );
  const withCommit = groupBy(
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
        keyOf(incident.linkSource ?? '', incident.linkExternalId ?? ''),
      ) ??
      byId.get(incident.linkId ?? '') ??
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
