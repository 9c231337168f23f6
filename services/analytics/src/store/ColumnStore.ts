import type { PeopleSink } from '../people/PeopleCopies.ts';
import type { EventsPlan, PlanRows } from '../query/language/Expression.ts';
import type { StoreViews } from './StoreViews.ts';
import type { Requester } from './process/QueryQueue.ts';
import type { ColumnDeletes } from './sql/ColumnDeletes.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';
import type { JournalRange } from './sqlite/eventRows.ts';

/** The data that a query of a project reads in addition to events. */
export interface PlanContext {
  readonly views: StoreViews;
  /** The project's group types, by their numbers. */
  readonly groupTypes: readonly string[];
  /**
   * Resolves once the engine has the persons and groups that the query reads.
   * @returns whether persons of the project have several ids, if the query reads persons
   *   or groups.
   */
  readonly copyPeople: () => Promise<{ hasSharedIds?: boolean }>;
}

/**
 * An engine for queries over many events: chDB on this machine, or a ClickHouse cluster.
 * Events are written to the journal first, so the engine may be unavailable for a while.
 */
export interface ColumnStore extends PeopleSink {
  readonly engine: 'chdb' | 'clickhouse';
  /** True if queries also read the journal's pending events; otherwise these are moved first. */
  readonly readsJournal: boolean;
  readonly deletes: ColumnDeletes;
  /** Starts the engine if it is not running; rejects if it cannot start. */
  start(): Promise<void>;
  /**
   * Copies events from the journal, and resolves once they are on the engine's disk.
   * @param options.isRepeated - true if the store may already have some of them, which it
   *   skips.
   */
  take(
    journal: EventJournal,
    range: JournalRange,
    options: { isRepeated: boolean },
  ): Promise<void>;
  /** @throws UnavailableError if the engine cannot be reached. */
  query(
    plan: EventsPlan,
    context: PlanContext,
    requester?: Requester,
  ): Promise<PlanRows>;
  /** Copies everything to a directory; undefined if the engine has its own backups. */
  backUp?(directory: string): Promise<void>;
  close(): Promise<void>;
}
