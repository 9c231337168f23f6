import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { DeploymentEvent } from '../../events/LakeEvent';
import { PayloadError } from '../payload/readPayload';
import { artifactFacts } from './purl';
import { CdEvent } from './cdEvent';

/** A deployment that an event tells of, whatever its kind. */
export function deploymentOf(options: {
  event: CdEvent;
  service: string;
  environment: string;
  status: DeploymentStatus;
  externalId: string;
}): DeploymentEvent {
  const { event } = options;
  const { context, customData: own } = event;
  const artifact = artifactFacts(event.subject.content.artifactId);
  const sha = own.sha ?? artifact.sha;
  return {
    kind: 'deployment',
    source: context.source,
    externalId: options.externalId,
    occurredAt: context.timestamp,
    service: options.service,
    environment: options.environment,
    status: options.status,
    startedAt: own.startedAt ?? context.timestamp,
    finishedAt: context.timestamp,
    version: own.version ?? artifact.version,
    triggeredBy: own.triggeredBy,
    repository: own.repository ?? artifact.repository,
    commit: sha ? { sha } : undefined,
    changes: own.changes,
    rollbackOf: own.rollbackOf,
    unplanned: own.unplanned,
    url: own.url ?? event.subject.content.uri,
  };
}

/**
 * `service.deployed`, `upgraded` and `rolledback`: deployments that succeeded. The
 * subject is the service, so the event itself is the deployment's key unless
 * `customData.deploymentId` is.
 *
 * @throws PayloadError without an environment.
 */
export function mapService(options: {
  event: CdEvent;
  rollback: boolean;
}): DeploymentEvent {
  const { event, rollback } = options;
  const environment = event.subject.content.environment?.id;
  if (!environment) {
    const field = 'subject.content.environment.id';
    throw new PayloadError(`${field} is required`, field);
  }
  const deployment = deploymentOf({
    event,
    service: event.subject.id,
    environment,
    status: 'SUCCESS',
    externalId: event.customData.deploymentId ?? event.context.id,
  });
  return rollback
    ? { ...deployment, rollbackOf: deployment.rollbackOf ?? true }
    : deployment;
}
