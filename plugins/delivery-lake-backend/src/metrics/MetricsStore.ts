import { DurationKind } from '../derivation/durationBucket';
import { ServiceIds } from '../scope/LakeService';
import { Counts, StampedCounts } from './counts';
import { DayPart, DayRange, SplitPeriod } from './localDays';

/** Reads what the metrics are made of. An empty list of services has nothing. */
export interface MetricsStore {
  /** Counts of the services together by day, for the days that have any. */
  dailyCounts(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>>;
  /** Counts of the days together by service, for the services that have any. */
  serviceCounts(
    services: ServiceIds,
    days: DayRange,
  ): Promise<Map<number, StampedCounts>>;
  /**
   * Counts from the records themselves, for parts of days: by service, or of
   * everything under 0.
   */
  rawCounts(services: ServiceIds, part: DayPart): Promise<Map<number, Counts>>;
  /** Exact median in milliseconds of the durations that ended in the period; null without any. */
  median(
    kind: DurationKind,
    services: ServiceIds,
    period: SplitPeriod,
  ): Promise<number | null>;
  /** Production incidents of the services that are not resolved. */
  openIncidents(services: ServiceIds): Promise<number>;
}
