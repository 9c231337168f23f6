import { DeploymentLink, IncidentEvent } from '../../events/LakeEvent';
import { CdEvent } from './cdEvent';
import { artifactFacts } from './purl';

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
export function mapIncident(options: {
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
