import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { KnownEvent, latestWord, standingEvents } from './eventOrder';
import { DeploymentEvent } from './LakeEvent';

/** A deployment as all its events together tell it. Times in milliseconds. */
export interface DeploymentRecord {
  source: string;
  externalId: string;
  service: string;
  environment: string;
  status: DeploymentStatus;
  startedAt: number;
  /** null while it runs. */
  finishedAt: number | null;
  version: string;
  triggeredBy: string;
  /** null where nothing is said of commits. */
  repository: string | null;
  commit: { sha: string; message: string; author: string } | null;
  /** Sorted; empty where it lists none. */
  changes: string[];
  /** External id; '' is the deployment before it. */
  rollbackOf: string | null;
  unplanned: boolean;
  url: string | null;
  /** The time of the latest event. */
  revision: number;
  /** Production, and it got there. */
  counted: boolean;
}

const RUNNING: readonly DeploymentStatus[] = ['PENDING', 'IN_PROGRESS'];

/** The repository of a service whose deployments name none. */
export function ownRepository(service: string): string {
  return `service:${service}`;
}

function foldCommit(events: DeploymentEvent[]): DeploymentRecord['commit'] {
  const sha = latestWord(events, ({ commit }) => commit?.sha);
  if (sha === undefined) {
    return null;
  }
  const told = events.flatMap(({ commit }) =>
    commit?.sha === sha ? [commit] : [],
  );
  return {
    sha,
    message: latestWord(told, ({ message }) => message) ?? '',
    author: latestWord(told, ({ author }) => author) ?? '',
  };
}

function isRunning(status: DeploymentStatus | undefined): boolean {
  return status !== undefined && RUNNING.includes(status);
}

/**
 * When its last run ended. A sender that says how, and never when, means the moment
 * it first said so.
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
    latestWord(ending, event => event.finishedAt) ??
    ending.find(event => event.status !== undefined)?.occurredAt ??
    null
  );
}

function foldRollback(events: DeploymentEvent[]): string | null {
  const rollbackOf = latestWord(events, event => event.rollbackOf);
  return rollbackOf === true ? '' : rollbackOf ?? null;
}

/**
 * Makes a deployment of all its events, whatever order they came in: of each field
 * the latest event that speaks of it is right. A start after the finish, which two
 * separate events can claim, is taken to be the finish.
 *
 * @returns undefined where it was deleted, or nobody says of which service it is.
 */
export function foldDeployment(
  known: readonly KnownEvent<DeploymentEvent>[],
): DeploymentRecord | undefined {
  const events = standingEvents(known);
  const service = latestWord(events, event => event.service);
  if (service === undefined) {
    return undefined;
  }
  const [first] = events;
  const status =
    latestWord(events, event =>
      event.status === undefined && event.finishedAt !== undefined
        ? 'SUCCESS'
        : event.status,
    ) ?? 'IN_PROGRESS';
  const finishedAt = foldFinish(events, status);
  const startedAt =
    latestWord(events, event => event.startedAt) ??
    finishedAt ??
    first.occurredAt;
  const environment = latestWord(events, event => event.environment) ?? 'prod';
  const commit = foldCommit(events);
  const changes = latestWord(events, event => event.changes) ?? [];
  const speaksOfCommits = commit !== null || changes.length > 0;
  return {
    source: first.source,
    externalId: first.externalId,
    service,
    environment,
    status,
    startedAt: Math.min(startedAt, finishedAt ?? startedAt),
    finishedAt,
    version: latestWord(events, event => event.version) ?? '',
    triggeredBy: latestWord(events, event => event.triggeredBy) ?? '',
    repository:
      latestWord(events, event => event.repository) ??
      (speaksOfCommits ? ownRepository(service) : null),
    commit,
    changes: [...new Set(changes)].sort(),
    rollbackOf: foldRollback(events),
    unplanned: latestWord(events, event => event.unplanned) ?? false,
    url: latestWord(events, event => event.url) ?? null,
    revision: events[events.length - 1].occurredAt,
    counted:
      environment === 'prod' &&
      finishedAt !== null &&
      (status === 'SUCCESS' || status === 'ROLLED_BACK'),
  };
}
