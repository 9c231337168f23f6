import {
  DeliveredChange,
  Deployment,
  DeploymentDetails,
  IncidentDetails,
} from '@slipway/plugin-delivery-lake-common';
import { LakeService } from '../scope/LakeService';
import { scopeName } from '../scope/scopeNames';
import { StoredChange, StoredDeployment, StoredIncident } from './HistoryStore';

function timestamp(moment: number): string {
  return new Date(moment).toISOString();
}

function optionalTimestamp(moment: number | null): string | null {
  return moment === null ? null : timestamp(moment);
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 1000);
}

function secondsBetween(start: number, end: number | null): number | null {
  return end === null ? null : seconds(end - start);
}

/** Whose a service is, by the names that the query parameters take. */
function ownership(
  service: LakeService | null,
): Pick<DeploymentDetails, 'entityRef' | 'team' | 'project'> {
  const { entityRef = null, team, project } = service ?? {};
  return {
    entityRef,
    team: team ? scopeName('team', team) : null,
    project: project ? scopeName('project', project) : null,
  };
}

/** An element of the contract's history. */
export function presentDeployment(stored: StoredDeployment): Deployment {
  const { id, version, environment, status, triggeredBy, commit } = stored;
  return {
    ...{ id, version, environment, status },
    startTime: timestamp(stored.startedAt),
    endTime: optionalTimestamp(stored.finishedAt),
    duration: secondsBetween(stored.startedAt, stored.finishedAt),
    ...{ triggeredBy, commit },
  };
}

/** A deployment with all that is known of it. */
export function presentDetails(stored: StoredDeployment): DeploymentDetails {
  const { repository, url, source, counted, incidents } = stored;
  const { failed, failureCause, rework, reworkCause } = stored;
  return {
    ...presentDeployment(stored),
    service: stored.service.name,
    ...ownership(stored.service),
    ...{ repository, url, source, counted },
    ...{ failed, failureCause, rework, reworkCause },
    recoveredAt: optionalTimestamp(stored.recoveredAt),
    incidents,
  };
}

/**
 * A change with its lead time in whole seconds.
 *
 * @param options.withAuthor - false leaves out who made it, and the times by which a
 *   colleague could tell.
 */
export function presentChange(
  stored: StoredChange,
  { withAuthor }: { withAuthor: boolean },
): DeliveredChange {
  const { author, committedAt, leadTime, ...change } = stored;
  if (!withAuthor) {
    return {
      ...change,
      author: null,
      committedAt: null,
      leadTimeSeconds: null,
    };
  }
  return {
    ...change,
    author,
    committedAt: timestamp(committedAt),
    leadTimeSeconds: leadTime === null ? null : seconds(leadTime),
  };
}

/** An incident with the deployment that caused it. */
export function presentIncident(stored: StoredIncident): IncidentDetails {
  const { id, title, environment, severity, url, source, deployment } = stored;
  return {
    ...{ id, title },
    service: stored.service?.name ?? null,
    ...ownership(stored.service),
    ...{ environment, severity },
    startedAt: timestamp(stored.startedAt),
    resolvedAt: optionalTimestamp(stored.resolvedAt),
    durationSeconds: secondsBetween(stored.startedAt, stored.resolvedAt),
    ...{ url, source },
    deployment: deployment && {
      id: deployment.id,
      version: deployment.version,
      endTime: timestamp(deployment.endedAt),
      guessed: deployment.guessed,
    },
  };
}
