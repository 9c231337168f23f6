import { DerivedService } from '../domain/deriveService';
import { DURATION_KIND, DurationKind, durationBucket } from '../durationBucket';

/** A row of the table `durations`. */
export interface DurationRow {
  kind: DurationKind;
  serviceId: number;
  subjectId: number;
  /** Milliseconds since the Unix epoch; its day is the one that counts the row. */
  endedAt: number;
  /** Milliseconds; null: delivered, and the times make no sense. */
  duration: number | null;
  deploymentId: number | null;
}

/** Bucket of its histogram; null when it has no duration. */
export function bucketOf({ duration }: DurationRow): number | null {
  return duration === null ? null : durationBucket(duration);
}

/** All durations that were derived of a service. */
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
