import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import type { EventsPlan, PlanRows } from '../query/EventsPlan.ts';

/** What keeps events and finds them again. */
export type EngineName = 'chdb' | 'sqlite';

/** How a store is; shown by metrics and pages. */
export interface StoreState {
  /** What answers queries. */
  readonly engine: EngineName;
  /** Events that wait to be moved into the column store. */
  readonly waiting: number;
}

/** Where events are kept. */
export interface EventStore {
  /**
   * Resolves once all of the events are on disk, where no kill takes them away. Those
   * whose uuid the project has had before are left out.
   *
   * @returns how many were new.
   */
  append(events: readonly AnalyticsEvent[]): Promise<number>;
  /**
   * Answers over everything that was appended before.
   *
   * @returns one row more than `plan.limit` where there are more.
   * @throws UnavailableError when the engine does not answer.
   * @throws QueryTooHeavyError when it takes too long or too much memory.
   */
  query(plan: EventsPlan): Promise<PlanRows>;
  state(): StoreState;
  /** Whether events can be kept. */
  isAlive(): Promise<boolean>;
  close(): Promise<void>;
}
