/** A deployment that counts. Times in milliseconds since the Unix epoch. */
export interface CountedDeployment {
  id: number;
  serviceId: number;
  source: string;
  externalId: string;
  startedAt: number;
  finishedAt: number;
  /** Its status is ROLLED_BACK. */
  isRolledBack: boolean;
  repositoryId?: number;
  /** Position of its commit's change; undefined while no change is known. */
  headPosition?: number;
  listsChanges: boolean;
  /** External id of the deployment that it rolls back; '' is the one before it. */
  rollbackOf?: string;
  unplanned: boolean;
}

/** A change of a repository. Times in milliseconds since the Unix epoch. */
export interface Change {
  id: number;
  repositoryId: number;
  committedAt?: number;
  position: number;
}

/** A production incident. Times in milliseconds since the Unix epoch. */
export interface Incident {
  id: number;
  /** undefined: nobody says; it counts nowhere. */
  serviceId?: number;
  startedAt: number;
  /** undefined while it is open. */
  resolvedAt?: number;
  /** The counted deployment that it links to, of whichever service. */
  linked?: CountedDeployment;
}

/** An incident whose deployment is known already. */
export interface SettledIncident {
  deploymentId: number;
  attribution: Attribution;
  resolvedAt?: number;
}

/**
 * By the link that a sender gave, or to what its service had deployed last, within the
 * incident window before it.
 */
export type Attribution = 'linked' | 'guessed';
/** The first that holds: `incident` is one that is linked, `guess` one that is guessed. */
export type FailureCause = 'rollback' | 'incident' | 'guess';
/** The first that holds: what is a `guess` began while an incident of its service was open. */
export type ReworkCause = 'declared' | 'rollback' | 'guess';

/** One deployment says that it rolls another one back. */
export interface Rollback {
  /** The deployment that was rolled back. */
  deploymentId: number;
  /** When the one that rolled it back finished. */
  finishedAt: number;
}

/**
 * What the part of a service's history since some moment follows from. Everything
 * that the whole history says when `since` and `from` lie before it.
 */
export interface ServiceHistory {
  serviceId: number;
  /** Deliveries are derived from here on; nothing before it has changed. */
  since: number;
  /** Failures, rework and outages are derived from here on; not after `since`. */
  from: number;
  /** Milliseconds within which an incident is blamed on a deployment; 0: never. */
  incidentWindow: number;
  /**
   * In order: those since `from`, and before them those of the incident window and
   * one more, that incidents and roll-backs may mean.
   */
  deployments: CountedDeployment[];
  /** Deployments before `from` that may have failed, or not, by what came later. */
  targets: CountedDeployment[];
  /** Roll-backs that name deployments, and those of targets known before. */
  rollbacks: Rollback[];
  /** Incidents to be attributed, those of other services that link here among them. */
  incidents: Incident[];
  /** Incidents of the targets that nothing has changed about. */
  settledIncidents: SettledIncident[];
  /** The service's incidents that were open at `from` or since, with all that they overlap. */
  outageIncidents: Incident[];
  /** Per repository the last position that was deployed before `since`. */
  baselines: ReadonlyMap<number, number>;
  /** Per repository, by position, the changes beyond the baseline. */
  changes: ReadonlyMap<number, Change[]>;
  /** Per deployment that lists them; its own commit's is among them. */
  listedChanges: ReadonlyMap<number, Change[]>;
  /** Changes that were delivered before `since`, of those beyond the baseline. */
  isDelivered: (changeId: number) => boolean;
}

/** Orders deployments by when they finished, the same wherever they came from. */
export function compareDeployments(
  a: CountedDeployment,
  b: CountedDeployment,
): number {
  return (
    a.finishedAt - b.finishedAt ||
    a.startedAt - b.startedAt ||
    compareTexts(a.source, b.source) ||
    compareTexts(a.externalId, b.externalId)
  );
}

function compareTexts(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
} /** Items by a key, in their order. */
export function groupBy<T, K>(
  items: Iterable<T>,
  keyOf: (item: T) => K,
): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) {
      group.push(item);
    } else {
      groups.set(key, [item]);
    }
  }
  return groups;
}
/**
 * Index of the last item whose key is below the limit, in items ordered by key;
 * -1 when there is none.
 */
export function lastIndexBefore<T>(
  items: readonly T[],
  keyOf: (item: T) => number,
  limit: number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyOf(items[middle]) < limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
} /** The kinds of the table `durations`. */
export const DURATION_KIND = { lead: 1, restore: 2, recovery: 3 } as const;
export type DurationKind = (typeof DURATION_KIND)[keyof typeof DURATION_KIND];

const BUCKETS_PER_DOUBLING = 32;

/**
 * Bucket of a duration in a logarithmic histogram whose buckets are about 2.2 %
 * wide: monotonic, so that the bucket that holds a rank can be found from counts
 * alone and only its few values have to be looked at.
 *
 * @param milliseconds - not negative.
 */
export function durationBucket(milliseconds: number): number {
  return Math.floor(Math.log2(milliseconds + 1) * BUCKETS_PER_DOUBLING);
}

/** A change that reached production for the first time. */
export interface Delivery {
  change: Change;
  deployment: CountedDeployment;
  /** Milliseconds; undefined: its commit time is missing or later than its deployment. */
  leadTime?: number;
}

function leadTimeOf(
  { committedAt }: Change,
  { finishedAt }: CountedDeployment,
): number | undefined {
  return committedAt === undefined || committedAt > finishedAt
    ? undefined
    : finishedAt - committedAt;
}

/** Changes whose position is above one and not above the other. */
function changesBetween(
  changes: Change[],
  above: number,
  upTo: number,
): Change[] {
  const positionOf = ({ position }: Change) => position;
  return changes.slice(
    lastIndexBefore(changes, positionOf, above + 1) + 1,
    lastIndexBefore(changes, positionOf, upTo + 1) + 1,
  );
}

/**
 * Which deployment since `since` delivered which change. A deployment that lists its
 * changes delivers those; any other what lies between the furthest that the service
 * had come before and its own commit, and nothing when it had come nowhere.
 */
export function deliverChanges(history: ServiceHistory): Delivery[] {
  const reached = new Map(history.baselines);
  const delivered = new Set<number>();
  const deliveries: Delivery[] = [];

  const contentOf = (deployment: CountedDeployment): Change[] => {
    const { repositoryId, headPosition } = deployment;
    if (deployment.listsChanges) {
      return (history.listedChanges.get(deployment.id) ?? []).filter(
        each => each.position > (reached.get(each.repositoryId) ?? -Infinity),
      );
    }
    const base =
      repositoryId === undefined ? undefined : reached.get(repositoryId);
    return repositoryId === undefined ||
      base === undefined ||
      headPosition === undefined
      ? []
      : changesBetween(
          history.changes.get(repositoryId) ?? [],
          base,
          headPosition,
        );
  };

  for (const deployment of history.deployments) {
    const { finishedAt, repositoryId, headPosition } = deployment;
    if (finishedAt >= history.since) {
      for (const change of contentOf(deployment)) {
        if (!delivered.has(change.id) && !history.isDelivered(change.id)) {
          delivered.add(change.id);
          deliveries.push({
            change,
            deployment,
            leadTime: leadTimeOf(change, deployment),
          });
        }
      }
      if (repositoryId !== undefined && headPosition !== undefined) {
        reached.set(
          repositoryId,
          Math.max(headPosition, reached.get(repositoryId) ?? -Infinity),
        );
      }
    }
  }
  return deliveries;
}
