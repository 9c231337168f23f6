import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import {
  DeploymentEvent,
  DeploymentLink,
  IncidentEvent,
} from '../../events/LakeEvent';
import {
  ignoring,
  key,
  MappedDelivery,
  meaning,
  optionalText,
  PayloadError,
  readPayload,
  timestamp,
} from '../payload';
import { artifactFacts } from './purl';

const reference = z.object({ id: z.string().min(1) });

/** A text that CDEvents does not define: of another type it says nothing. */
const ownText = optionalText.catch(undefined);

/**
 * What senders may say beyond CDEvents, which knows no commit, no duration and no
 * link from an incident to its deployment. Base64, as data of other types is, says nothing.
 */
const ownWords = z
  .object({
    /** The sender's id of the deployment, where several events tell of one. */
    deploymentId: key.optional().catch(undefined),
    service: ownText,
    environment: ownText,
    startedAt: timestamp.optional().catch(undefined),
    version: ownText,
    repository: ownText,
    sha: ownText,
    changes: z.array(z.string()).optional().catch(undefined),
    triggeredBy: ownText,
    rollbackOf: ownText,
    unplanned: z.boolean().optional().catch(undefined),
    url: ownText,
    /** The deployment that caused an incident, by id or by source and id. */
    deployment: z
      .union([
        key.transform(id => ({ id, source: undefined })),
        z.object({ id: key, source: z.string().optional() }),
      ])
      .optional()
      .catch(undefined),
    severity: ownText,
  })
  .partial();

type OwnWords = z.output<typeof ownWords>;

/** A link to another event, embedded in the context (since 0.4). */
const link = z.object({
  linkType: z.string(),
  target: z.object({ contextId: z.string() }).optional(),
  from: z.object({ contextId: z.string() }).optional(),
});

/**
 * What versions 0.3 to 0.6 of CDEvents have in common; `context.version` became
 * `specversion`, and `subject.type` went.
 *
 * https://github.com/cdevents/spec/blob/main/spec.md
 */
const cdEventSchema = z.object({
  context: z.object({
    id: z.string().min(1),
    source: z.string().min(1),
    type: z.string().min(1),
    timestamp,
    links: z.array(link).optional().catch(undefined),
  }),
  subject: z.object({
    id: z.string().min(1),
    content: z.object({
      environment: reference.optional(),
      service: reference.optional(),
      artifactId: optionalText,
      description: optionalText,
      ticketURI: optionalText,
      uri: optionalText,
      url: optionalText,
      outcome: optionalText,
    }),
  }),
  customData: z
    .unknown()
    .optional()
    .transform((data): OwnWords => ownWords.safeParse(data).data ?? {}),
});

type CdEvent = z.output<typeof cdEventSchema>;

/** A deployment that an event tells of, whatever its kind. */
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
 * `service.deployed`, `upgraded` and `rolledback`: deployments that succeeded. The
 * subject is the service, so the event itself is the deployment's key unless
 * `customData.deploymentId` is.
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

/** CDEvents 0.3 knows `failure` and `error`; later `fail` and `cancel` came about in senders. */
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
 * `pipelinerun.finished` and `taskrun.finished`: CDEvents has no event for a
 * deployment that failed, so a run that did not succeed and whose customData names
 * `service` and `environment` is one. One that succeeded is told of by its
 * service event.
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
  return meaning(
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
 * The deployment that caused an incident: named in `customData.deployment` or by
 * `customData.sha`; else the event that the context links to, which is a
 * deployment's key when it told of one; else the commit of the artifact. Links of
 * CDEvents name no source: they lead to deployments of the incident's own alone.
 */
function linkOf({
  context,
  subject,
  customData: own,
}: CdEvent): DeploymentLink | undefined {
  const { source } = context;
  if (own.deployment) {
    const { id } = own.deployment;
    return id.startsWith('deploy-')
      ? { id }
      : { source: own.deployment.source ?? source, externalId: id };
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

/** `incident.detected`, `reported` and `resolved`; the subject is the incident. */
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
    // Its description is that of the resolution, and its artifact the one that repaired.
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
  // Somebody reported what began earlier: no beginning, lest it takes the place
  // of the one that was detected. Of an incident that nobody detected it is the first word.
  return { ...opened, startedAt: own.startedAt };
}

const MAPPERS: Readonly<Record<string, (event: CdEvent) => MappedDelivery>> = {
  'service.deployed': event => meaning(mapService({ event, rollback: false })),
  'service.upgraded': event => meaning(mapService({ event, rollback: false })),
  'service.rolledback': event => meaning(mapService({ event, rollback: true })),
  'incident.detected': event =>
    meaning(mapIncident({ event, predicate: 'detected' })),
  'incident.reported': event =>
    meaning(mapIncident({ event, predicate: 'reported' })),
  'incident.resolved': event =>
    meaning(mapIncident({ event, predicate: 'resolved' })),
  'pipelinerun.finished': mapRun,
  'taskrun.finished': mapRun,
};

/** `dev.cdevents.service.deployed.0.3.0`, whatever version. */
const CDEVENT_TYPE = /^dev\.cdevents\.([a-z]+\.[a-z]+)\.\d+\.\d+\.\d+/;

const envelope = z.object({ data: z.unknown().optional() });

/**
 * Reads a CloudEvent in JSON that carries a CDEvent.
 *
 * @throws PayloadError naming the field of the CDEvent at fault.
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
