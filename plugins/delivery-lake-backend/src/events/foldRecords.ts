import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import {
  ChangeEvent,
  ChangeRecord,
  DeploymentEvent,
  DeploymentRecord,
  IncidentEvent,
  IncidentRecord,
  LakeEvent,
} from './LakeEvent';

/** The fields of a stored event that determine its order. */
export interface KnownEvent<E extends LakeEvent = LakeEvent> {
  event: E;
  digest: string;
}

const DELETED = 3;

/**
 * Ranks an event by its stage in the life of its record. Many senders report whole seconds: if a
 * start and a finish have the same time, the finish is the later event.
 */
function stage(event: LakeEvent): number {
  if (event.deleted) {
    return DELETED;
  }
  if (event.kind === 'incident') {
    return event.resolvedAt ? 2 : 0;
  }
  if (event.kind === 'change' || event.status === 'PENDING') {
    return 0;
  }
  if (event.status === undefined) {
    return event.finishedAt === undefined ? 0 : 2;
  }
  return event.status === 'IN_PROGRESS' ? 1 : 2;
}

/**
 * Orders the events of one record by their content, never by their arrival: by their own
 * time, then by stage, then by digest.
 */
export function compareEvents(a: KnownEvent, b: KnownEvent): number {
  return (
    a.event.occurredAt - b.event.occurredAt ||
    stage(a.event) - stage(b.event) ||
    (a.digest < b.digest ? -1 : Number(a.digest > b.digest))
  );
}

/**
 * Returns the events of a record since it was last deleted, oldest first. Empty if it is
 * deleted or unknown.
 */
function currentEvents<E extends LakeEvent>(
  known: readonly KnownEvent<E>[],
): E[] {
  const events = [...known].sort(compareEvents).map(({ event }) => event);
  return events.slice(events.findLastIndex(event => event.deleted) + 1);
}

/** Returns the value from the latest event that has one. */
function latestValue<E, T>(
  events: readonly E[],
  read: (event: E) => T | undefined,
): T | undefined {
  const speaker = events.findLast(event => read(event) !== undefined);
  return speaker && read(speaker);
}

const SEQUENCES = 2048;

/**
 * Returns the position of a change on its repository's deployed branch: a number that grows
 * with the time it landed, then with its order within the push.
 *
 * @param landedAt - milliseconds since the Unix epoch.
 * @param sequence - from 0; all changes from 2047 on share one position.
 */
export function changePosition(landedAt: number, sequence = 0): number {
  return landedAt * SEQUENCES + Math.min(sequence, SEQUENCES - 1);
}

/** Returns when the change at a position landed, in milliseconds since the Unix epoch. */
export function landingTime(position: number): number {
  return Math.floor(position / SEQUENCES);
}

/**
 * Folds all events of a change, in any order of arrival. A change without a date landed
 * when it was first reported.
 *
 * @returns undefined if it was deleted.
 */
export function foldChange(
  known: readonly KnownEvent<ChangeEvent>[],
): ChangeRecord | undefined {
  const events = currentEvents(known);
  if (events.length === 0) {
    return undefined;
  }
  const [first] = events;
  const committedAt = latestValue(events, event => event.committedAt) ?? null;
  const landedAt =
    latestValue(events, event => event.landedAt) ??
    committedAt ??
    first.occurredAt;
  return {
    repository: first.repository,
    sha: first.sha,
    message: latestValue(events, event => event.message) ?? '',
    author: latestValue(events, event => event.author) ?? '',
    committedAt,
    position: changePosition(
      landedAt,
      latestValue(events, event => event.sequence),
    ),
    url: latestValue(events, event => event.url) ?? null,
    revision: events[events.length - 1].occurredAt,
  };
}

const RUNNING: readonly DeploymentStatus[] = ['PENDING', 'IN_PROGRESS'];

/** Returns the repository assumed for a service whose deployments name none. */
export function ownRepository(service: string): string {
  return `service:${service}`;
}

function foldCommit(events: DeploymentEvent[]): DeploymentRecord['commit'] {
  const sha = latestValue(events, ({ commit }) => commit?.sha);
  if (sha === undefined) {
    return null;
  }
  const told = events.flatMap(({ commit }) =>
    commit?.sha === sha ? [commit] : [],
  );
  return {
    sha,
    message: latestValue(told, ({ message }) => message) ?? '',
    author: latestValue(told, ({ author }) => author) ?? '',
  };
}

function isRunning(status: DeploymentStatus | undefined): boolean {
  return status !== undefined && RUNNING.includes(status);
}

/**
 * Returns when the last run ended. If a sender reports the result without a time, the time of the
 * first report of that result counts.
 */
function foldFinish(
  events: DeploymentEvent[],
  status: DeploymentStatus,
): number | null {
  if (isRunning(status)) {
    return null;
  }
  const ending = events.slice(
    events.findLastIndex(event => isRunning(event.status)) + 1,
  );
  return (
    latestValue(ending, event => event.finishedAt) ??
    ending.find(event => event.status !== undefined)?.occurredAt ??
    null
  );
}

function foldRollback(events: DeploymentEvent[]): string | null {
  const rollbackOf = latestValue(events, event => event.rollbackOf);
  return rollbackOf === true ? '' : (rollbackOf ?? null);
}

/**
 * Folds all events of a deployment, in any order of arrival: the latest event that sets a
 * field wins. If two separate events put the start after the finish, the finish is used for
 * both.
 *
 * @returns undefined if it was deleted, or neither its service nor its repository is known.
 */
export function foldDeployment(
  known: readonly KnownEvent<DeploymentEvent>[],
): DeploymentRecord | undefined {
  const events = currentEvents(known);
  const service =
    latestValue(events, event => event.service) ??
    latestValue(events, event => event.repository);
  if (service === undefined) {
    return undefined;
  }
  const [first] = events;
  const status =
    latestValue(events, event =>
      event.status === undefined && event.finishedAt !== undefined
        ? 'SUCCESS'
        : event.status,
    ) ?? 'IN_PROGRESS';
  const finishedAt = foldFinish(events, status);
  const startedAt =
    latestValue(events, event => event.startedAt) ??
    finishedAt ??
    first.occurredAt;
  const environment = latestValue(events, event => event.environment) ?? 'prod';
  const commit = foldCommit(events);
  const changes = latestValue(events, event => event.changes) ?? [];
  const speaksOfCommits = commit !== null || changes.length > 0;
  return {
    source: first.source,
    externalId: first.externalId,
    service,
    environment,
    status,
    startedAt: Math.min(startedAt, finishedAt ?? startedAt),
    finishedAt,
    version: latestValue(events, event => event.version) ?? '',
    triggeredBy: latestValue(events, event => event.triggeredBy) ?? '',
    repository:
      latestValue(events, event => event.repository) ??
      (speaksOfCommits ? ownRepository(service) : null),
    commit,
    changes: [...new Set(changes)].sort(),
    rollbackOf: foldRollback(events),
    unplanned: latestValue(events, event => event.unplanned) ?? false,
    url: latestValue(events, event => event.url) ?? null,
    revision: events[events.length - 1].occurredAt,
    counted:
      environment === 'prod' &&
      finishedAt !== null &&
      (status === 'SUCCESS' || status === 'ROLLED_BACK'),
  };
}

/**
 * Folds all events of an incident, in any order of arrival. If two separate events put the
 * start after the end, the end is used for both.
 *
 * @returns undefined if it was deleted.
 */
export function foldIncident(
  known: readonly KnownEvent<IncidentEvent>[],
): IncidentRecord | undefined {
  const events = currentEvents(known);
  if (events.length === 0) {
    return undefined;
  }
  const [first] = events;
  const resolvedAt = latestValue(events, event => event.resolvedAt) ?? null;
  const startedAt =
    latestValue(events, event => event.startedAt) ?? first.occurredAt;
  return {
    source: first.source,
    externalId: first.externalId,
    service: latestValue(events, event => event.service) ?? null,
    environment: latestValue(events, event => event.environment) ?? 'prod',
    title: latestValue(events, event => event.title) ?? first.externalId,
    severity: latestValue(events, event => event.severity) ?? null,
    startedAt: Math.min(startedAt, resolvedAt ?? startedAt),
    resolvedAt,
    link: latestValue(events, event => event.deployment) ?? null,
    url: latestValue(events, event => event.url) ?? null,
    revision: events[events.length - 1].occurredAt,
  };
}
