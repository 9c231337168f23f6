/** A counted deployment. Times are in milliseconds since the Unix epoch. */
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
  /** Position of its commit's change; undefined while the change is unknown. */
  headPosition?: number;
  listsChanges: boolean;
  /** External id of the deployment that it rolls back; '' means the previous one. */
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
  /** undefined if unknown; the incident is then not counted. */
  serviceId?: number;
  startedAt: number;
  /** undefined while it is open. */
  resolvedAt?: number;
  /** The counted deployment that it links to, of any service. */
  linked?: CountedDeployment;
}

/** An incident that is already attributed to a deployment. */
export interface SettledIncident {
  deploymentId: number;
  attribution: Attribution;
  resolvedAt?: number;
}

/**
 * `linked`: by the sender's link. `guessed`: to the service's last deployment within the
 * incident window before it.
 */
export type Attribution = 'linked' | 'guessed';
/**
 * Why a deployment failed: the first cause that applies. `incident` is a linked incident, `guess` a
 * guessed one.
 */
export type FailureCause = 'rollback' | 'incident' | 'guess';
/**
 * Why a deployment is rework: the first cause that applies. `guess`: it started while an incident
 * of its service was open.
 */
export type ReworkCause = 'declared' | 'rollback' | 'guess';

/** A deployment that rolls back another. */
export interface Rollback {
  /** The deployment that was rolled back. */
  deploymentId: number;
  /** Time at which the deployment that rolled it back finished. */
  finishedAt: number;
}

/**
 * The input for deriving a service's data from some moment on; its whole history if `since` and
 * `from` precede it.
 */
export interface ServiceHistory {
  serviceId: number;
  /** Deliveries are derived from this moment; nothing before it has changed. */
  since: number;
  /** Failures, rework and outages are derived from this moment, which is not after `since`. */
  from: number;
  /** The time, in milliseconds, within which an incident is attributed to a deployment; 0 disables it. */
  incidentWindow: number;
  /**
   * Deployments in order: those since `from`, preceded by those within the incident window and one
   * more, which incidents and rollbacks may refer to.
   */
  deployments: CountedDeployment[];
  /** Deployments before `from` whose verdict may change through later records. */
  targets: CountedDeployment[];
  /**
   * Rollbacks that name one of the deployments or targets, and the stored ones of targets before
   * `from`.
   */
  rollbacks: Rollback[];
  /** Incidents to attribute, including those of other services that link to this one. */
  incidents: Incident[];
  /** Incidents of the targets that are not in `incidents`; their attribution does not change. */
  settledIncidents: SettledIncident[];
  /** The service's incidents that were open at `from` or later, with all that overlap them. */
  outageIncidents: Incident[];
  /** The last position deployed before `since`, by repository. */
  baselines: ReadonlyMap<number, number>;
  /** The changes after the baseline in order of position, by repository. */
  changes: ReadonlyMap<number, Change[]>;
  /** The listed changes, including that of its own commit, by deployment. */
  listedChanges: ReadonlyMap<number, Change[]>;
  /** Returns whether a change after the baseline was delivered before `since`. */
  isDelivered: (changeId: number) => boolean;
}

/** Orders deployments by finish, with a stable order for equal times. */
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
}

/**
 * Returns the index of the last item whose key is below the limit, in items sorted by key;
 * -1 if there is none.
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
}

/** The kinds of the table `durations`. */
export const DURATION_KIND = { lead: 1, restore: 2, recovery: 3 } as const;
export type DurationKind = (typeof DURATION_KIND)[keyof typeof DURATION_KIND];

const BUCKETS_PER_DOUBLING = 32;

/**
 * Returns the bucket of a duration in a logarithmic histogram with buckets about 2.2 % wide.
 * Buckets are monotonic, so the counts determine the bucket of a rank, and only the values in that
 * bucket have to be read.
 *
 * @param milliseconds - not negative.
 */
export function durationBucket(milliseconds: number): number {
  return Math.floor(Math.log2(milliseconds + 1) * BUCKETS_PER_DOUBLING);
}
