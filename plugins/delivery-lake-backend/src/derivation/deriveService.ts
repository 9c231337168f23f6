import { deliverChanges, Delivery } from './deliverChanges';
import {
  Attribution,
  CountedDeployment,
  FailureCause,
  Incident,
  lastIndexBefore,
  ReworkCause,
  ServiceHistory,
  SettledIncident,
} from './ServiceHistory';

/** An incident with the deployment that it is attributed to, if any. */
interface AttributedIncident {
  incident: Incident;
  deployment?: CountedDeployment;
  attribution?: Attribution;
}

/**
 * Returns the deployment that was in production when the incident began, if it had finished within
 * the incident window before.
 */
function guess(
  incident: Incident,
  { deployments, serviceId, incidentWindow }: ServiceHistory,
): CountedDeployment | undefined {
  if (incident.serviceId !== serviceId || incidentWindow === 0) {
    return undefined;
  }
  const index = lastIndexBefore(
    deployments,
    ({ finishedAt }) => finishedAt,
    incident.startedAt + 1,
  );
  const suspect = index < 0 ? undefined : deployments[index];
  return suspect && incident.startedAt - suspect.finishedAt <= incidentWindow
    ? suspect
    : undefined;
}

/**
 * Attributes every incident to at most one deployment: the linked one, or else a guess
 * among those of its own service.
 */
function attributeIncidents(history: ServiceHistory): AttributedIncident[] {
  return history.incidents.map(incident => {
    if (incident.linked) {
      return { incident, deployment: incident.linked, attribution: 'linked' };
    }
    const deployment = guess(incident, history);
    return deployment
      ? { incident, deployment, attribution: 'guessed' }
      : { incident };
  });
}

/** The verdict on a deployment. Times are in milliseconds. */
interface Verdict {
  deployment: CountedDeployment;
  failureCause?: FailureCause;
  rolledBackAt?: number;
  /**
   * Time at which service was restored; undefined if the deployment did not fail or service is not
   * restored yet.
   */
  recoveredAt?: number;
}

function groupByDeployment(
  attributed: AttributedIncident[],
  settled: SettledIncident[],
): Map<number, SettledIncident[]> {
  const blamed = attributed.flatMap(({ incident, deployment, attribution }) =>
    deployment && attribution
      ? [
          {
            deploymentId: deployment.id,
            attribution,
            resolvedAt: incident.resolvedAt,
          },
        ]
      : [],
  );
  return Map.groupBy(
    [...settled, ...blamed],
    ({ deploymentId }) => deploymentId,
  );
}

function causeOf(
  deployment: CountedDeployment,
  incidents: SettledIncident[],
  rolledBackAt: number | undefined,
): FailureCause | undefined {
  if (deployment.isRolledBack || rolledBackAt !== undefined) {
    return 'rollback';
  }
  if (incidents.some(({ attribution }) => attribution === 'linked')) {
    return 'incident';
  }
  return incidents.length > 0 ? 'guess' : undefined;
}

/**
 * Returns when a failed deployment recovered: at the end of its last incident or, without
 * incidents, at the rollback; never before the failure began.
 */
function recoveryOf(
  { finishedAt }: CountedDeployment,
  incidents: SettledIncident[],
  rolledBackAt: number | undefined,
): number | undefined {
  const end =
    incidents.length > 0
      ? Math.max(...incidents.map(each => each.resolvedAt ?? Infinity))
      : (rolledBackAt ?? Infinity);
  return end === Infinity ? undefined : Math.max(end, finishedAt);
}

/**
 * Determines which deployments of a history failed, targets first. Each fails at most once,
 * however many incidents it caused.
 */
function findFailures(
  { deployments, targets, settledIncidents, from }: ServiceHistory,
  attributed: AttributedIncident[],
  rollbacks: ReadonlyMap<number, number>,
): Verdict[] {
  const incidentsOf = groupByDeployment(attributed, settledIncidents);
  return [
    ...targets,
    ...deployments.filter(({ finishedAt }) => finishedAt >= from),
  ].map(deployment => {
    const incidents = incidentsOf.get(deployment.id) ?? [];
    const rolledBackAt = rollbacks.get(deployment.id);
    const failureCause = causeOf(deployment, incidents, rolledBackAt);
    return {
      deployment,
      failureCause,
      rolledBackAt,
      recoveredAt:
        failureCause && recoveryOf(deployment, incidents, rolledBackAt),
    };
  });
}

/**
 * Returns when deployments were rolled back, by id. A deployment is rolled back by one that names
 * it, or by one that rolls back the last deployment that finished before. The first rollback
 * counts.
 */
function findRollbacks({
  deployments,
  rollbacks,
}: ServiceHistory): Map<number, number> {
  const rolledBackAt = new Map<number, number>();
  const add = (id: number, finishedAt: number) =>
    rolledBackAt.set(
      id,
      Math.min(finishedAt, rolledBackAt.get(id) ?? Infinity),
    );
  for (const { deploymentId, finishedAt } of rollbacks) {
    add(deploymentId, finishedAt);
  }
  for (const { rollbackOf, finishedAt } of deployments) {
    if (rollbackOf === '') {
      const before = lastIndexBefore(
        deployments,
        each => each.finishedAt,
        finishedAt,
      );
      if (before >= 0) {
        add(deployments[before].id, finishedAt);
      }
    }
  }
  return rolledBackAt;
}

/** Overlapping incidents of a service, merged. Times are in milliseconds. */
interface Outage {
  /** The incident that began first; on a tie, the one with the smallest id. */
  firstIncidentId: number;
  startedAt: number;
  /** Infinity while one of its incidents is open. */
  endedAt: number;
}

/** Merges incidents of one service that overlap or touch. Sorted by start. */
export function mergeOutages(incidents: readonly Incident[]): Outage[] {
  const outages: Outage[] = [];
  const inOrder = [...incidents].sort(
    (a, b) => a.startedAt - b.startedAt || a.id - b.id,
  );
  for (const { id, startedAt, resolvedAt } of inOrder) {
    const endedAt = resolvedAt ?? Infinity;
    const last = outages.at(-1);
    if (last && startedAt <= last.endedAt) {
      last.endedAt = Math.max(last.endedAt, endedAt);
    } else {
      outages.push({ firstIncidentId: id, startedAt, endedAt });
    }
  }
  return outages;
}

/**
 * Returns which deployments repaired production, and why, by id.
 *
 * @param incidents - all production incidents of the service that were open at the start of
 * one of the deployments.
 */
function findRework(
  deployments: readonly CountedDeployment[],
  incidents: readonly Incident[],
): Map<number, ReworkCause> {
  const outages = mergeOutages(incidents);
  const isOutAt = (moment: number) => {
    const index = lastIndexBefore(outages, each => each.startedAt, moment + 1);
    return index >= 0 && moment < outages[index].endedAt;
  };
  const causes = new Map<number, ReworkCause>();
  for (const { id, unplanned, rollbackOf, startedAt } of deployments) {
    if (unplanned) {
      causes.set(id, 'declared');
    } else if (rollbackOf !== undefined) {
      causes.set(id, 'rollback');
    } else if (isOutAt(startedAt)) {
      causes.set(id, 'guess');
    }
  }
  return causes;
}

/** The data derived from a history. */
export interface DerivedService {
  incidents: AttributedIncident[];
  /** The verdicts on the targets and on the deployments since `from`. */
  verdicts: Verdict[];
  /**
   * Reasons why deployments since `from` are repairs, by deployment id; earlier ones are
   * unaffected.
   */
  rework: ReadonlyMap<number, ReworkCause>;
  outages: Outage[];
  /** The deliveries since `since`. */
  deliveries: Delivery[];
}

/** Derives one service by the definitions of the plugin's README. */
export function deriveService(history: ServiceHistory): DerivedService {
  const incidents = attributeIncidents(history);
  return {
    incidents,
    verdicts: findFailures(history, incidents, findRollbacks(history)),
    rework: findRework(
      history.deployments.filter(
        ({ finishedAt }) => finishedAt >= history.from,
      ),
      history.outageIncidents,
    ),
    outages: mergeOutages(history.outageIncidents),
    deliveries: deliverChanges(history),
  };
}
