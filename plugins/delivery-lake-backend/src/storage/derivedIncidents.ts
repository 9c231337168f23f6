import type { Knex } from 'knex';
import { StoredDeployment, StoredIncident } from '../derivation/compareDerived';
import { compareDeployments } from '../derivation/ServiceHistory';
import { senderKey } from '../events/LakeEvent';
import {
  type BigInteger,
  momentTable,
  nullableNumber,
  optionalNumber,
  queryRows,
  recordTable,
  type ServiceMoment,
} from './BatchSql';
import {
  loadDeploymentsByCommit,
  loadDeploymentsByKey,
  loadDeploymentsByPublicId,
} from './derivedDeployments';
import { loadComponents } from './services';

interface IncidentRow {
  id: BigInteger;
  service_id: number | null;
  environment: string;
  started_at: BigInteger;
  resolved_at: BigInteger | null;
  source: string;
  link_source: string | null;
  link_external_id: string | null;
  link_id: string | null;
  link_sha: string | null;
  link_is_own: number;
  deployment_id: BigInteger | null;
  attribution: string | null;
  deployment_service_id: number | null;
  deployment_finished_at: BigInteger | null;
}

const COLUMNS =
  'i.id, i.service_id, i.environment, i.started_at, i.resolved_at, i.source, i.link_source, i.link_external_id, i.link_id, i.link_sha, i.link_is_own, i.deployment_id, i.attribution, i.deployment_service_id, i.deployment_finished_at';

function toIncident(row: IncidentRow): StoredIncident {
  return {
    id: Number(row.id),
    serviceId: row.service_id ?? undefined,
    isProduction: row.environment === 'prod',
    startedAt: Number(row.started_at),
    resolvedAt: optionalNumber(row.resolved_at),
    source: row.source,
    linkSource: row.link_source ?? undefined,
    linkExternalId: row.link_external_id ?? undefined,
    linkId: row.link_id ?? undefined,
    linkSha: row.link_sha ?? undefined,
    linkIsOwn: row.link_is_own === 1,
    stored: {
      deploymentId: nullableNumber(row.deployment_id),
      attribution: row.attribution,
      deploymentServiceId: row.deployment_service_id,
      deploymentFinishedAt: nullableNumber(row.deployment_finished_at),
    },
  };
}

const OWN_SINCE = `incidents i
  WHERE i.service_id = r.service_id AND i.started_at >= r.moment`;

// Incidents attributed to deployments that finished since a moment; this may have to change.
const ATTRIBUTED_SINCE = `incidents i
  WHERE i.deployment_service_id = r.service_id AND i.deployment_finished_at >= r.moment`;

const DEPLOYED_SINCE = `deployments d CROSS JOIN incidents i
  WHERE d.counted = 1 AND d.service_id = r.service_id AND d.finished_at >= r.moment`;

// Production incidents that were open at a moment, or have started since.
const OPEN_SINCE = [
  'i.resolved_at >= r.moment',
  'i.resolved_at IS NULL',
  // Also finds rows with an end before their start, although ingestion rejects those.
  'i.started_at >= r.moment',
].map(
  end => `incidents i
  WHERE i.service_id = r.service_id AND i.environment = 'prod' AND ${end}`,
);

const LINKED_SINCE = [
  `${DEPLOYED_SINCE} AND i.link_id = d.public_id`,
  `${DEPLOYED_SINCE} AND i.link_external_id = d.external_id AND i.link_source = d.source`,
  `${DEPLOYED_SINCE} AND d.commit_sha IS NOT NULL AND i.link_sha = d.commit_sha AND i.service_id = d.service_id`,
];

/** Loads the incidents that at least one of the sources selects for these services and moments. */
async function loadFrom(
  trx: Knex.Transaction,
  moments: readonly ServiceMoment[],
  sources: readonly string[],
): Promise<StoredIncident[]> {
  const list = momentTable(trx, moments);
  const incidents = new Map<number, StoredIncident>();
  for (const source of sources) {
    const rows = await queryRows<IncidentRow>(
      trx,
      `SELECT ${COLUMNS} FROM ${list.sql} CROSS JOIN ${source}`,
      list.bindings,
    );
    for (const row of rows) {
      const incident = toIncident(row);
      incidents.set(incident.id, incident);
    }
  }
  return [...incidents.values()];
}

/**
 * Loads the incidents whose attribution may change: those since a moment, those attributed
 * to deployments since then, and those that link to one of them.
 */
export function loadIncidentsSince(
  trx: Knex.Transaction,
  moments: readonly ServiceMoment[],
): Promise<StoredIncident[]> {
  return loadFrom(trx, moments, [OWN_SINCE, ATTRIBUTED_SINCE, ...LINKED_SINCE]);
}

/** Loads incidents that are currently attributed to deployments. */
export async function loadIncidentsOf(
  trx: Knex.Transaction,
  deploymentIds: readonly number[],
): Promise<StoredIncident[]> {
  if (deploymentIds.length === 0) {
    return [];
  }
  const list = recordTable(
    trx,
    'r',
    { id: 'bigint' },
    deploymentIds.map(id => ({ id })),
  );
  const rows = await queryRows<IncidentRow>(
    trx,
    `SELECT ${COLUMNS} FROM ${list.sql} CROSS JOIN incidents i WHERE i.deployment_id = r.id`,
    list.bindings,
  );
  return rows.map(toIncident);
}

/** The production incidents of a service, complete from a moment on. */
interface OutageIncidents {
  serviceId: number;
  /** No incident that started before this moment ended after it. */
  from: number;
  incidents: StoredIncident[];
}

/**
 * Loads the incidents that were open at a moment or started since, and all earlier ones
 * that overlap them, directly or through others.
 */
export async function loadOutageIncidents(
  trx: Knex.Transaction,
  moments: readonly ServiceMoment[],
): Promise<Map<number, OutageIncidents>> {
  const outages = new Map<number, OutageIncidents>();
  let open = [...moments];
  while (open.length > 0) {
    const incidents = Map.groupBy(
      await loadFrom(trx, open, OPEN_SINCE),
      each => each.serviceId,
    );
    const further: typeof open = [];
    for (const { serviceId, moment } of open) {
      const own = incidents.get(serviceId) ?? [];
      const from = own.reduce(
        (earliest, { startedAt }) => Math.min(earliest, startedAt),
        moment,
      );
      outages.set(serviceId, { serviceId, from, incidents: own });
      if (from < moment) {
        further.push({ serviceId, moment: from });
      }
    }
    open = further;
  }
  return outages;
}

/**
 * Returns the newest deployment that had finished when the incident started; if there is none, the
 * newest of all.
 */
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

/**
 * Finds the deployments that incidents link to by the lake's id; the keys are incident ids. If the
 * sender may only report for one component, its incidents are not linked to deployments of other
 * components; a component may be deployed under several names.
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
