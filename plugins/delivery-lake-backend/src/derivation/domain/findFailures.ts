import { AttributedIncident } from './attributeIncidents';
import { groupBy } from './groupBy';
import {
  CountedDeployment,
  FailureCause,
  ServiceHistory,
  SettledIncident,
} from './ServiceHistory';

/** What became of a deployment. Times in milliseconds. */
export interface Verdict {
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
      : rolledBackAt ?? Infinity;
  return end === Infinity ? undefined : Math.max(end, finishedAt);
}

/**
 * Judges the deployments of a history, targets first: each failed once or not at
 * all, however many incidents it caused.
 */
export function findFailures(
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
