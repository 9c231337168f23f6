import {
  Attribution,
  CountedDeployment,
  FailureCause,
  groupBy,
  Incident,
  lastIndexBefore,
  ReworkCause,
  ServiceHistory,
  SettledIncident,
  deliverChanges,
  Delivery,
} from './ServiceHistory';

/** An incident with the deployment that it is blamed on; none when nothing tells. */
interface AttributedIncident {
  incident: Incident;
  deployment?: CountedDeployment;
  attribution?: Attribution;
}

/** The one that was in production when it began, and not for long. */
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
 * Attributes every incident to one deployment at most: the one that it links to, or
 * else, among those of its own service, to a guess.
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

/** What became of a deployment. Times in milliseconds. */
interface Verdict {
  deployment: CountedDeployment;
  failureCause?: FailureCause;
  rolledBackAt?: number;
  /** When what it broke was restored; undefined: it broke nothing, or not yet. */
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
  return groupBy([...settled, ...blamed], ({ deploymentId }) => deploymentId);
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

/** The last end of its incidents; without any, the roll-back; never before it began. */
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
 * Judges the deployments of a history, targets first: each failed once or not at
 * all, however many incidents it caused.
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
 * When deployments were rolled back, by id: by a deployment that names them, or by
 * one that rolls back whatever finished last before it. The first one tells.
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

/** Incidents of a service that overlap, as one. Times in milliseconds. */
interface Outage {
  /** The one that began first; of several the one with the smallest id. */
  firstIncidentId: number;
  startedAt: number;
  /** Infinity while one of its incidents is open. */
  endedAt: number;
}

/** Joins incidents of one service that overlap or touch; in order of their beginning. */
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
 * Why deployments were made to repair production, by id, of those that were.
 *
 * @param incidents - production incidents of the service, all that were open at the
 * start of one of the deployments.
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

/** What follows from a history. */
export interface DerivedService {
  incidents: AttributedIncident[];
  /** The verdicts on the targets and on the deployments since `from`. */
  verdicts: Verdict[];
  /** Why deployments since `from` are repairs, by deployment id: nothing later touches those before it. */
  rework: ReadonlyMap<number, ReworkCause>;
  outages: Outage[];
  /** Since `since`. */
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
