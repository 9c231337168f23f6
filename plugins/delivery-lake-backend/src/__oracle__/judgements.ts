import { DeploymentRecord, IncidentRecord, Records } from './records';

const INCIDENT_WINDOW_MS = 24 * 60 * 60 * 1000;

/** A counted deployment, whether it failed, and when it recovered. */
export interface Judgement {
  service: string;
  finishedAt: number;
  failure?: 'rollback' | 'incident' | 'guess';
  rework?: 'declared' | 'rollback' | 'guess';
  /**
   * Time at which service was restored; undefined if the deployment did not fail or service is not
   * restored yet.
   */
  recoveredAt?: number;
}

function lastFinished(
  deployments: DeploymentRecord[],
  isBefore: (deployment: DeploymentRecord) => boolean,
): DeploymentRecord | undefined {
  return deployments
    .filter(isBefore)
    .sort((a, b) => a.finishedAt - b.finishedAt)
    .at(-1);
}

/** Returns whether `other` reports that it rolled `deployment` back. */
function rollsBack(
  other: DeploymentRecord,
  deployment: DeploymentRecord,
  counted: DeploymentRecord[],
): boolean {
  if (other.rollbackOf === true) {
    return (
      lastFinished(
        counted,
        each =>
          each.service === other.service && each.finishedAt < other.finishedAt,
      ) === deployment
    );
  }
  return (
    other.rollbackOf === deployment.id &&
    other.source === deployment.source &&
    other.service === deployment.service
  );
}

/** Returns whether an incident without a link is attributed to `deployment`. */
function isGuessed(
  incident: IncidentRecord,
  deployment: DeploymentRecord,
  counted: DeploymentRecord[],
): boolean {
  const suspect = lastFinished(
    counted,
    each =>
      each.service === incident.service &&
      each.finishedAt <= incident.startedAt,
  );
  return (
    !incident.linked?.counted &&
    suspect === deployment &&
    incident.startedAt - deployment.finishedAt <= INCIDENT_WINDOW_MS
  );
}

function findRework(
  deployment: DeploymentRecord,
  incidents: IncidentRecord[],
): Judgement['rework'] {
  if (deployment.unplanned) {
    return 'declared';
  }
  if (deployment.rollbackOf !== undefined) {
    return 'rollback';
  }
  const repairs = incidents.some(
    incident =>
      incident.service === deployment.service &&
      incident.startedAt <= deployment.startedAt &&
      deployment.startedAt < incident.resolvedAt,
  );
  return repairs ? 'guess' : undefined;
}

/** Compares every counted deployment with all other deployments and all incidents. */
export function judge(records: Records): Judgement[] {
  const counted = records.deployments.filter(each => each.counted);
  const incidents = records.incidents.filter(each => each.production);
  return counted.map(deployment => {
    const rollbacks = counted.filter(other =>
      rollsBack(other, deployment, counted),
    );
    const linked = incidents.filter(each => each.linked === deployment);
    const guessed = incidents.filter(each =>
      isGuessed(each, deployment, counted),
    );

    let failure: Judgement['failure'];
    if (deployment.status === 'ROLLED_BACK' || rollbacks.length > 0) {
      failure = 'rollback';
    } else if (linked.length > 0) {
      failure = 'incident';
    } else if (guessed.length > 0) {
      failure = 'guess';
    }

    const ends = [...linked, ...guessed].map(each => each.resolvedAt);
    const recoveredAt =
      ends.length > 0
        ? Math.max(...ends)
        : Math.min(...rollbacks.map(each => each.finishedAt));
    return {
      service: deployment.service,
      finishedAt: deployment.finishedAt,
      failure,
      rework: findRework(deployment, incidents),
      recoveredAt:
        failure && Number.isFinite(recoveredAt) ? recoveredAt : undefined,
    };
  });
}
