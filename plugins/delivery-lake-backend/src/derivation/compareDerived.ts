import { DerivedService } from './deriveService';
import {
  CountedDeployment,
  DURATION_KIND,
  durationBucket,
  DurationKind,
  ServiceHistory,
} from './ServiceHistory';

// Compares the stored derived data of a service with newly derived data.

/** A service with the moment from which it must be derived again. */
export interface DirtyService {
  serviceId: number;
  /** Milliseconds since the Unix epoch; 0 or less means everything. */
  since: number;
  /** True if ingestion marked it, rather than only the derivation of another service. */
  isFirstHand: boolean;
}

/** Times from which the derivation of a service has to read, in milliseconds. */
export interface Scope extends DirtyService {
  /** Failures, rework and counts are derived from this moment, the start of a day. */
  from: number;
  /** Deployments are loaded from this moment, because later incidents may be attributed to them. */
  contextFrom: number;
  /** True to ignore all previously derived data. */
  isWhole: boolean;
}

/** A dirty mark on another service, caused by deriving one. */
export interface Echo {
  serviceId: number;
  /** The moment in milliseconds, as in {@link DirtyService}. */
  since: number;
}

/** The derived columns of a deployment: 0 or 1, and times in milliseconds. */
export interface DeploymentFlags {
  failed: number;
  failureCause: string | null;
  rework: number;
  reworkCause: string | null;
  recoveredAt: number | null;
  rolledBackAt: number | null;
}

/** A counted deployment with its derived columns. */
export interface StoredDeployment extends CountedDeployment {
  stored: DeploymentFlags;
}

/** A stored incident with its derived columns. Times are in milliseconds. */
export interface StoredIncident {
  id: number;
  serviceId?: number;
  isProduction: boolean;
  startedAt: number;
  resolvedAt?: number;
  source: string;
  linkSource?: string;
  linkExternalId?: string;
  linkId?: string;
  linkSha?: string;
  /** `linkId` only identifies a deployment of the incident's own component. */
  linkIsOwn: boolean;
  stored: {
    deploymentId: number | null;
    attribution: string | null;
    deploymentServiceId: number | null;
    deploymentFinishedAt: number | null;
  };
}

/** A history with its stored derived data. */
export interface StoredHistory extends ServiceHistory {
  scope: Scope;
  deployments: StoredDeployment[];
  targets: StoredDeployment[];
  /** Every stored incident of the history, including those that no longer count. */
  storedIncidents: ReadonlyMap<number, StoredIncident>;
  /** Outages that end at this moment or later are derived again. */
  outagesFrom: number;
}

/** The derived columns of a deployment, before and after deriving it again. */
export interface JudgedDeployment {
  id: number;
  finishedAt: number;
  /** True if it finished before the scope, so its day is not recounted. */
  isTarget: boolean;
  before: DeploymentFlags;
  after: DeploymentFlags;
}

/** Returns whether deriving changed a deployment. */
export function isRejudged({ before, after }: JudgedDeployment): boolean {
  return (
    before.failed !== after.failed ||
    before.failureCause !== after.failureCause ||
    before.rework !== after.rework ||
    before.reworkCause !== after.reworkCause ||
    before.recoveredAt !== after.recoveredAt ||
    before.rolledBackAt !== after.rolledBackAt
  );
}

/** Pairs derived with stored data for every deployment. */
export function compareDeploymentFlags(
  { deployments, targets, from }: StoredHistory,
  { verdicts, rework }: DerivedService,
): JudgedDeployment[] {
  const stored = new Map(
    [...targets, ...deployments].map(each => [each.id, each.stored]),
  );
  return verdicts.map(verdict => {
    const { deployment, failureCause, recoveredAt, rolledBackAt } = verdict;
    const before = stored.get(deployment.id)!;
    const isTarget = deployment.finishedAt < from;
    const reworkCause = isTarget
      ? before.reworkCause
      : (rework.get(deployment.id) ?? null);
    return {
      id: deployment.id,
      finishedAt: deployment.finishedAt,
      isTarget,
      before,
      after: {
        failed: failureCause ? 1 : 0,
        failureCause: failureCause ?? null,
        rework: reworkCause ? 1 : 0,
        reworkCause,
        recoveredAt: recoveredAt ?? null,
        rolledBackAt: rolledBackAt ?? null,
      },
    };
  });
}

type Attributed = StoredIncident['stored'];

/** A changed attribution. */
export interface IncidentUpdate {
  id: number;
  after: Attributed;
}

const NOTHING: Attributed = {
  deploymentId: null,
  attribution: null,
  deploymentServiceId: null,
  deploymentFinishedAt: null,
};

function isSame(a: Attributed, b: Attributed): boolean {
  return (
    a.deploymentId === b.deploymentId &&
    a.attribution === b.attribution &&
    a.deploymentServiceId === b.deploymentServiceId &&
    a.deploymentFinishedAt === b.deploymentFinishedAt
  );
}

function echoOf({ deploymentServiceId, deploymentFinishedAt }: Attributed) {
  return deploymentServiceId === null || deploymentFinishedAt === null
    ? []
    : [{ serviceId: deploymentServiceId, since: deploymentFinishedAt }];
}

/**
 * Compares the attributions of a service's incidents, and finds the other services that are
 * affected: those whose deployments caused its incidents, and those whose incidents its
 * deployments caused.
 */
export function compareIncidents(
  { serviceId, storedIncidents, scope }: StoredHistory,
  { incidents }: DerivedService,
): { updates: IncidentUpdate[]; echoes: Echo[] } {
  const derived = new Map(
    incidents.map(({ incident, deployment, attribution }) => [
      incident.id,
      deployment && attribution
        ? {
            deploymentId: deployment.id,
            attribution,
            deploymentServiceId: deployment.serviceId,
            deploymentFinishedAt: deployment.finishedAt,
          }
        : NOTHING,
    ]),
  );
  const updates: IncidentUpdate[] = [];
  const echoes: Echo[] = [];
  for (const incident of storedIncidents.values()) {
    const after = derived.get(incident.id) ?? NOTHING;
    const isChanged = !isSame(incident.stored, after);
    const isOwn =
      incident.serviceId === undefined || incident.serviceId === serviceId;
    if (isOwn) {
      if (isChanged) {
        updates.push({ id: incident.id, after });
      }
      if (isChanged || scope.isFirstHand) {
        echoes.push(...echoOf(incident.stored), ...echoOf(after));
      }
    } else if (isChanged && incident.serviceId !== undefined) {
      echoes.push({
        serviceId: incident.serviceId,
        since: incident.startedAt,
      });
    }
  }
  return { updates, echoes };
}

/** A row of the table `durations`. */
export interface DurationRow {
  kind: DurationKind;
  serviceId: number;
  subjectId: number;
  /** Milliseconds since the Unix epoch. The row counts on this day. */
  endedAt: number;
  /** The duration in milliseconds; null for a delivered change with inconsistent times. */
  duration: number | null;
  deploymentId: number | null;
}

/** Returns the histogram bucket of a row; null without a duration. */
export function bucketOf({ duration }: DurationRow): number | null {
  return duration === null ? null : durationBucket(duration);
}

/** Returns all durations derived for a service. */
export function toDurations(
  serviceId: number,
  { deliveries, outages, verdicts }: DerivedService,
): DurationRow[] {
  return [
    ...deliveries.map(({ change, deployment, leadTime }) => ({
      kind: DURATION_KIND.lead,
      serviceId,
      subjectId: change.id,
      endedAt: deployment.finishedAt,
      duration: leadTime ?? null,
      deploymentId: deployment.id,
    })),
    ...outages
      .filter(({ endedAt }) => endedAt !== Infinity)
      .map(({ firstIncidentId, startedAt, endedAt }) => ({
        kind: DURATION_KIND.restore,
        serviceId,
        subjectId: firstIncidentId,
        endedAt,
        duration: endedAt - startedAt,
        deploymentId: null,
      })),
    ...verdicts.flatMap(({ deployment, recoveredAt }) =>
      recoveredAt === undefined
        ? []
        : [
            {
              kind: DURATION_KIND.recovery,
              serviceId,
              subjectId: deployment.id,
              endedAt: recoveredAt,
              duration: recoveredAt - deployment.finishedAt,
              deploymentId: deployment.id,
            },
          ],
    ),
  ];
}

/** Returns a key that is unique among the durations of a service. */
export function durationKey({ kind, subjectId }: DurationRow): string {
  return `${kind} ${subjectId}`;
}

/** Compares the durations of a service. */
export function compareDurations(
  stored: DurationRow[],
  derived: DurationRow[],
) {
  const before = new Map(stored.map(row => [durationKey(row), row]));
  const added: DurationRow[] = [];
  for (const row of derived) {
    const key = durationKey(row);
    const known = before.get(key);
    if (
      known?.endedAt === row.endedAt &&
      known.duration === row.duration &&
      known.deploymentId === row.deploymentId
    ) {
      before.delete(key);
    } else {
      added.push(row);
    }
  }
  return { removed: [...before.values()], added, derived };
}
