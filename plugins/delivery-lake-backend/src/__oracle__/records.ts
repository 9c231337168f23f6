import { RawChange, RawDeployment, RawEvent, RawIncident } from './RawEvent';

/** A deployment, counted or not, merged from all its events. Times are in milliseconds. */
export interface DeploymentRecord {
  source: string;
  id: string;
  service: string;
  repository: string;
  counted: boolean;
  status: string;
  startedAt: number;
  /** NaN while it runs. */
  finishedAt: number;
  sha?: string;
  changes: string[];
  rollbackOf?: string | true;
  unplanned: boolean;
}

/** A change, merged from all its events. Times are in milliseconds. */
export interface ChangeRecord {
  repository: string;
  sha: string;
  committedAt?: number;
  landedAt: number;
  /** Order among changes that landed at the same moment. */
  sequence: number;
}

/** An incident, merged from all its events. Times are in milliseconds. */
export interface IncidentRecord {
  /** undefined if unknown; it is then not counted anywhere. */
  service?: string;
  production: boolean;
  startedAt: number;
  /** Infinity while it is open. */
  resolvedAt: number;
  /** The known deployment that it links to. */
  linked?: DeploymentRecord;
}

/** The oracle's view of all records, without deleted ones. */
export interface Records {
  deployments: DeploymentRecord[];
  changes: ChangeRecord[];
  incidents: IncidentRecord[];
}

/** Merges the events of one record field by field, in the order of their times. */
function merge<T extends { occurredAt: string }>(events: T[]): T {
  const merged = {} as T;
  const inOrder = [...events].sort(
    (a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt),
  );
  for (const event of inOrder) {
    for (const [field, value] of Object.entries(event)) {
      if (value !== undefined) {
        Object.assign(merged, { [field]: value });
      }
    }
  }
  return merged;
}

function mergeBy<T extends { occurredAt: string; deleted?: boolean }>(
  events: T[],
  keyOf: (event: T) => string,
): T[] {
  return [...new Set(events.map(keyOf))]
    .map(key => merge(events.filter(event => keyOf(event) === key)))
    .filter(({ deleted }) => !deleted);
}

function repositoryOf({ repository, service }: RawDeployment): string {
  return repository ?? `service:${service}`;
}

/** "A deployment that gives its commit's `committedAt` reports that change as well." */
function changesToldByDeployments(deployments: RawDeployment[]): RawChange[] {
  return deployments.flatMap(event =>
    event.commit?.committedAt && !event.deleted
      ? [
          {
            kind: 'change',
            source: event.source,
            occurredAt: event.occurredAt,
            repository: repositoryOf(event),
            sha: event.commit.sha,
            committedAt: event.commit.committedAt,
          },
        ]
      : [],
  );
}

function toDeployment(event: RawDeployment): DeploymentRecord {
  return {
    source: event.source,
    id: event.id,
    service: event.service ?? '',
    repository: repositoryOf(event),
    counted:
      event.environment === 'prod' &&
      (event.status === 'SUCCESS' || event.status === 'ROLLED_BACK') &&
      event.finishedAt !== undefined,
    status: event.status ?? '',
    startedAt: Date.parse(event.startedAt ?? ''),
    finishedAt: Date.parse(event.finishedAt ?? ''),
    sha: event.commit?.sha,
    changes: event.changes ?? [],
    rollbackOf: event.rollbackOf,
    unplanned: event.unplanned ?? false,
  };
}

function toChange(event: RawChange): ChangeRecord {
  return {
    repository: event.repository,
    sha: event.sha,
    committedAt: event.committedAt ? Date.parse(event.committedAt) : undefined,
    landedAt: Date.parse(event.landedAt ?? event.committedAt ?? ''),
    sequence: event.sequence ?? 0,
  };
}

function toIncident(
  event: RawIncident,
  deployments: DeploymentRecord[],
): IncidentRecord {
  const linked = deployments.find(
    ({ source, id }) =>
      source === event.deployment?.source && id === event.deployment.id,
  );
  return {
    service: event.service ?? linked?.service,
    production: event.environment === 'prod',
    startedAt: Date.parse(event.startedAt ?? ''),
    resolvedAt: event.resolvedAt ? Date.parse(event.resolvedAt) : Infinity,
    linked,
  };
}

/** Converts events, in any order and with duplicates, to records. */
export function toRecords(events: RawEvent[]): Records {
  const deploymentEvents = events.filter(event => event.kind === 'deployment');
  const incidentEvents = events.filter(event => event.kind === 'incident');
  const changeEvents = [
    ...events.filter(event => event.kind === 'change'),
    ...changesToldByDeployments(deploymentEvents),
  ];
  const byKey = (event: RawDeployment | RawIncident) =>
    `${event.source}\n${event.id}`;
  const deployments = mergeBy(deploymentEvents, byKey).map(toDeployment);
  return {
    deployments,
    changes: mergeBy(
      changeEvents,
      ({ repository, sha }) => `${repository}\n${sha}`,
    ).map(toChange),
    incidents: mergeBy(incidentEvents, byKey).map(event =>
      toIncident(event, deployments),
    ),
  };
}
