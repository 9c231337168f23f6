import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import {
  DeploymentEvent,
  DeploymentLink,
  IncidentEvent,
  linkById,
} from '../../events/LakeEvent';
import {
  ignoring,
  MappedDelivery,
  accepting,
  PayloadError,
  readPayload,
} from '../payload';
import { type CdEvent, cdEventSchema } from './cdEvent';
import { artifactFacts } from './purl';

/** Maps an event of any kind to a deployment. */
function deploymentOf(options: {
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
 * Maps `service.deployed`, `upgraded` and `rolledback` to successful deployments. The subject is
 * the service, so the deployment's key is the event's id unless there is a
 * `customData.deploymentId`.
 *
 * @throws PayloadError without an environment.
 */
function mapService(options: {
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

/** CDEvents 0.3 has `failure` and `error`; senders also use `fail` and `cancel`. */
const STATUSES = {
  failure: 'FAILURE',
  fail: 'FAILURE',
  error: 'FAILURE',
  cancel: 'CANCELLED',
} as const;

function statusOf(
  outcome: string | undefined,
): 'FAILURE' | 'CANCELLED' | undefined {
  return Object.entries(STATUSES).find(([word]) => word === outcome)?.[1];
}

/**
 * Maps `pipelinerun.finished` and `taskrun.finished`. CDEvents has no event for a failed
 * deployment, so an unsuccessful run whose customData names `service` and `environment` counts as
 * one. Successful deployments are reported by service events.
 */
function mapRun(event: CdEvent): MappedDelivery {
  const { outcome } = event.subject.content;
  const status = statusOf(outcome);
  if (!status) {
    return ignoring(
      `A run with the outcome ${
        outcome ?? 'none'
      }; successful deployments are reported by service.deployed`,
    );
  }
  const { service, environment, deploymentId } = event.customData;
  if (!service || !environment) {
    return ignoring(
      'A run is a deployment only where customData names service and environment',
    );
  }
  return accepting(
    deploymentOf({
      event,
      service,
      environment,
      status,
      externalId: deploymentId ?? event.subject.id,
    }),
  );
}

/**
 * Returns the deployment that caused an incident: from `customData.deployment` or `customData.sha`,
 * otherwise the event linked in the context, otherwise the commit of the artifact. A CDEvents link
 * names no source, so it can only refer to a deployment of the incident's source.
 */
function linkOf({
  context,
  subject,
  customData: own,
}: CdEvent): DeploymentLink | undefined {
  const { source } = context;
  if (own.deployment) {
    return linkById(own.deployment.id, own.deployment.source ?? source);
  }
  if (own.sha) {
    return { sha: own.sha };
  }
  const links = context.links ?? [];
  const linked =
    links.find(({ linkType }) => linkType === 'RELATION')?.target ??
    links.find(({ linkType }) => linkType === 'PATH')?.from;
  const { sha } = artifactFacts(subject.content.artifactId);
  if (linked) {
    return { source, externalId: linked.contextId, sha };
  }
  return sha ? { sha } : undefined;
}

/** Maps `incident.detected`, `reported` and `resolved`; the subject is the incident. */
function mapIncident(options: {
  event: CdEvent;
  predicate: 'detected' | 'reported' | 'resolved';
}): IncidentEvent {
  const { event, predicate } = options;
  const { context, customData: own } = event;
  const { content } = event.subject;
  const facts: IncidentEvent = {
    kind: 'incident',
    source: context.source,
    externalId: event.subject.id,
    occurredAt: context.timestamp,
    service: content.service?.id ?? own.service,
    environment: content.environment?.id,
    severity: own.severity?.toLocaleLowerCase('en-US'),
    url: content.ticketURI ?? own.url,
  };
  if (predicate === 'resolved') {
    // Omits the description and the artifact, which are those of the resolution.
    return { ...facts, resolvedAt: context.timestamp };
  }
  const opened = {
    ...facts,
    title: content.description,
    deployment: linkOf(event),
  };
  if (predicate === 'detected') {
    const startedAt = own.startedAt ?? context.timestamp;
    return { ...opened, startedAt, resolvedAt: null };
  }
  // The incident began before it was reported, so this must not replace the start
  // of a detected one. An incident that was not detected starts with its report.
  return { ...opened, startedAt: own.startedAt };
}

const MAPPERS: Readonly<Record<string, (event: CdEvent) => MappedDelivery>> = {
  'service.deployed': event =>
    accepting(mapService({ event, rollback: false })),
  'service.upgraded': event =>
    accepting(mapService({ event, rollback: false })),
  'service.rolledback': event =>
    accepting(mapService({ event, rollback: true })),
  'incident.detected': event =>
    accepting(mapIncident({ event, predicate: 'detected' })),
  'incident.reported': event =>
    accepting(mapIncident({ event, predicate: 'reported' })),
  'incident.resolved': event =>
    accepting(mapIncident({ event, predicate: 'resolved' })),
  'pipelinerun.finished': mapRun,
  'taskrun.finished': mapRun,
};

/** Matches `dev.cdevents.service.deployed.0.3.0` in any version. */
const CDEVENT_TYPE = /^dev\.cdevents\.([a-z]+\.[a-z]+)\.\d+\.\d+\.\d+/;

const envelope = z.object({ data: z.unknown().optional() });

/**
 * Reads a CloudEvent in JSON that carries a CDEvent.
 *
 * @throws PayloadError naming the invalid field of the CDEvent.
 */
export function mapCloudEvent(delivery: {
  type: string;
  body: unknown;
}): MappedDelivery {
  const { type, body } = delivery;
  const kind = CDEVENT_TYPE.exec(type)?.[1];
  if (!kind || !Object.hasOwn(MAPPERS, kind)) {
    return ignoring(`The lake ignores events of type ${type}`);
  }
  const { data } = readPayload(envelope, body);
  return MAPPERS[kind](readPayload(cdEventSchema, data));
}
