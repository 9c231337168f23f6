import type { PeopleSink } from '../people/PeopleCopies.ts';
import type { EventsPlan, PlanRows } from '../query/language/Expression.ts';
import type { Requester } from './process/QueryQueue.ts';
import type { ColumnDeletes } from './sql/ColumnDeletes.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';
import type { JournalRange } from './sqlite/eventRows.ts';

/** A journal's file, and the id that marks its rows in other stores. */
interface JournalFile {
  readonly id: string;
  readonly filename: string;
}

/**
 * The events that a query reads: those up to a position in the journal from the columns, and later
 * ones from the journal itself.
 */
export interface StoreView {
  readonly journal: JournalFile;
  /** The last position read from the columns. */
  readonly boundary: number;
  /** The last position to read; equal to the boundary if no event of the query's project is pending. */
  readonly upTo: number;
  /** False if the columns contain no events beyond the boundary and get none until the query ends. */
  readonly mayBeMoved: boolean;
}

/** The data of a project that a query reads. */
export interface PlanContext {
  /** Runs a query with a view of the events. Every event stays readable there until the query ends. */
  readonly look: <T>(ask: (view: StoreView) => Promise<T>) => Promise<T>;
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
