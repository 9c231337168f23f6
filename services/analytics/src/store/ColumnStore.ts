import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import type { EventsPlan, PlanRows } from '../query/EventsPlan.ts';

/**
 * An engine made for questions over many events: chDB here, a cluster of ClickHouse
 * elsewhere. The journal stands before it, so it may be gone for a while.
 */
export interface ColumnStore {
  /** Starts the engine where it does not run; rejects where it cannot. */
  start(): Promise<void>;
  /** Resolves once the events are on disk. */
  insert(events: readonly AnalyticsEvent[]): Promise<void>;
  /** Which of these it does not have; asked only where a move was cut short. */
  missing(events: readonly AnalyticsEvent[]): Promise<AnalyticsEvent[]>;
  /**
   * Deletes the events that happened before a moment; resolves once they are gone, or
   * `signal` says that nobody waits for it.
   */
  deleteBefore(before: number, signal: AbortSignal): Promise<void>;
  query(plan: EventsPlan): Promise<PlanRows>;
  close(): Promise<void>;
}
