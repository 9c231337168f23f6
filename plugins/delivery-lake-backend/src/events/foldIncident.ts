import { KnownEvent, latestWord, standingEvents } from './eventOrder';
import { DeploymentLink, IncidentEvent } from './LakeEvent';

/** An incident as all its events together tell it. Times in milliseconds. */
export interface IncidentRecord {
  source: string;
  externalId: string;
  /** null where no event says: then the deployment that it links to may. */
  service: string | null;
  environment: string;
  title: string;
  severity: string | null;
  startedAt: number;
  /** null while it is open. */
  resolvedAt: number | null;
  link: DeploymentLink | null;
  url: string | null;
  /** The time of the latest event. */
  revision: number;
}

/**
 * Makes an incident of all its events, whatever order they came in. A beginning
 * after the end, which two separate events can claim, is taken to be the end.
 *
 * @returns undefined where it was deleted.
 */
export function foldIncident(
  known: readonly KnownEvent<IncidentEvent>[],
): IncidentRecord | undefined {
  const events = standingEvents(known);
  if (events.length === 0) {
    return undefined;
  }
  const [first] = events;
  const resolvedAt = latestWord(events, event => event.resolvedAt) ?? null;
  const startedAt =
    latestWord(events, event => event.startedAt) ?? first.occurredAt;
  return {
    source: first.source,
    externalId: first.externalId,
    service: latestWord(events, event => event.service) ?? null,
    environment: latestWord(events, event => event.environment) ?? 'prod',
    title: latestWord(events, event => event.title) ?? first.externalId,
    severity: latestWord(events, event => event.severity) ?? null,
    startedAt: Math.min(startedAt, resolvedAt ?? startedAt),
    resolvedAt,
    link: latestWord(events, event => event.deployment) ?? null,
    url: latestWord(events, event => event.url) ?? null,
    revision: events[events.length - 1].occurredAt,
  };
}
