import { GroupWriter } from '@slipway/service-kit';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import type { EventsPlan, PlanRows } from '../query/language/Expression.ts';
import type { ChangesOfEvent } from '../people/PersonChange.ts';
import type { ErasedIds } from '../people/ErasedIds.ts';
import { PeopleCopies } from '../people/PeopleCopies.ts';
import type { PersonStore } from '../people/storage/PersonStore.ts';
import type { ColumnStore } from './ColumnStore.ts';
import { type Columns, EventMover } from './EventMover.ts';
import { StoreViews } from './StoreViews.ts';
import { backUpEvents } from './backUpEvents.ts';
import { DeferredIntake } from './DeferredIntake.ts';
import { EventDeletes } from './EventDeletes.ts';
import { QueryRunner } from './QueryRunner.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';
import type { CountedArrivals, CountRequest } from './sqlite/countArrivals.ts';
import type { JournalArrivals } from './sqlite/JournalArrivals.ts';
import type { Requester } from './process/QueryQueue.ts';
import type { SeenLimits } from './sqlite/SeenUuids.ts';
import type { JournalQueries } from './sqlite/JournalQueries.ts';

/** The name of an engine that stores and queries events. */
export type EngineName = 'chdb' | 'clickhouse' | 'sqlite';

/** The state of the store, for metrics and pages. */
export interface StoreState {
  /** The engine that runs queries. */
  readonly engine: EngineName;
  /** Number of events not yet moved to the column store. */
  readonly waiting: number;
}

/** Maximum events per commit, to limit how long the first of them waits. */
const GROUP_SIZE = 2_000;

/** Maximum time in milliseconds that a commit waits for further events. */
const ARRIVAL_MS = 2;

/**
 * Stores events on this machine. Events are acknowledged once they are in the journal, and
 * moved from there to the column store when many are pending; queries read both. So events
 * are stored even while the engine is not running, and it only runs when there is enough
 * work. Without a column store, queries read only the journal.
 */
export class EventStore {
  /** Events that wait until the rate limit of their project admits them. */
  readonly deferred: DeferredIntake;
  readonly deletes: EventDeletes;
  readonly #journal: EventJournal;
  readonly #queries: JournalQueries;
  readonly #writer: GroupWriter<readonly AnalyticsEvent[], number>;
  readonly #runner: QueryRunner;
  readonly #onFallBack: (error: unknown) => void;
  readonly #views: StoreViews;
  readonly #people: PeopleCopies | undefined;
  readonly #erased: ErasedIds | undefined;
  #reader: { count(): Promise<void> } | undefined;
  /** Undefined while queries only read the journal. */
  #columns: Columns | undefined;
  /** Number of changes of each project's events, by project. */
  readonly #versions = new Map<string, number>();
  /** Number of changes that may have affected all projects. */
  #changesOfAll = 0;

  /**
   * @param options.persons - the store to which changes of persons are applied.
   * @param options.erased - ids for which nothing is stored.
   * @param options.onFallBack - called with the reason if the journal runs queries
   *   instead of the column store.
   * @param options.onDropped - called with the reason if a change of a person is dropped.
   */
  constructor(options: {
    journal: EventJournal;
    queries: JournalQueries;
    persons?: PersonStore;
    erased?: ErasedIds;
    onFallBack: (error: unknown) => void;
    onDropped?: (error: unknown) => void;
  }) {
    this.#journal = options.journal;
    this.#queries = options.queries;
    this.#onFallBack = options.onFallBack;
    this.#erased = options.erased;
    this.#people =
      options.persons &&
      new PeopleCopies({
        journal: this.#journal,
        store: options.persons,
        ...(options.erased && { erased: options.erased }),
        onDropped: options.onDropped ?? (() => undefined),
      });
    // Requests that arrive together share one commit; no request is split across commits.
    this.#writer = new GroupWriter({
      write: groups => this.#journal.append(groups),
      arrivalMs: ARRIVAL_MS,
      groupSize: GROUP_SIZE,
      sizeOf: events => events.length,
    });
    this.deferred = new DeferredIntake({
      journal: this.#journal,
      kept: events => this.#kept(events),
      onChange: projectId => this.#change(projectId),
      groupSize: GROUP_SIZE,
    });
    this.deletes = new EventDeletes({
      journal: this.#journal,
      people: this.#people,
      columns: () => this.#columns,
      countArrivals: async () => this.#reader?.count(),
      onChange: projectId => this.#change(projectId),
    });
    const { moves } = this.#journal;
    this.#views = new StoreViews({
      journal: this.#journal,
      places: {
        boundary: () => moves.boundary(),
        last: () => this.#journal.last(),
        isUnfinished: () => moves.unfinished() !== undefined,
      },
    });
    this.#runner = new QueryRunner({
      journal: this.#journal,
      queries: this.#queries,
      people: this.#people,
      views: this.#views,
      columns: () => this.#columns,
      onFallBack: error => this.#fallBack(error),
    });
    this.#journal.serveQueries(true);
  }

  /** Uses a column store for queries from now on. */
  useColumns(columns: ColumnStore): void {
    const mover = new EventMover({
      journal: this.#journal,
      columns,
      views: this.#views,
    });
    this.#columns = { columns, mover };
    this.#journal.serveQueries(false);
  }

  /** The journal's events in order of arrival. */
  get arrivals(): JournalArrivals {
    return this.#journal.arrivals;
  }

  /** Counts events in order of arrival, in a separate process. */
  countArrivals(request: CountRequest): Promise<CountedArrivals> {
    return this.#queries.count(request);
  }

  /** Keeps events in the journal until a reader of arrivals has counted them. */
  keepFor(reader: { counted(): number; count(): Promise<void> }): void {
    this.#reader = reader;
    this.#views.keepFor(() => reader.counted());
  }

  /**
   * Resolves once all events are durably on disk. Skips those with a uuid that the
   * project already has.
   * @returns how many were new.
   */
  async append(events: readonly AnalyticsEvent[]): Promise<number> {
    const added = await this.#writer.add(this.#kept(events));
    new Set(events.map(({ projectId }) => projectId)).forEach(projectId =>
      this.#change(projectId),
    );
    return added;
  }

  #kept(events: readonly AnalyticsEvent[]): readonly AnalyticsEvent[] {
    return this.#erased?.without(events) ?? events;
  }

  /** Returns a different number whenever results for the project may have changed. */
  versionOf(projectId: string): number {
    return this.#changesOfAll + (this.#versions.get(projectId) ?? 0);
  }

  #change(projectId?: string): void {
    if (projectId === undefined) {
      this.#changesOfAll += 1;
    } else {
      this.#versions.set(projectId, (this.#versions.get(projectId) ?? 0) + 1);
    }
  }

  /**
   * Runs a query over everything appended before the call.
   * @param requester - the caller; its queries wait their turn while the engine is busy.
   * @returns one row more than `plan.limit` if there are more.
   * @throws UnavailableError if the engine does not respond.
   * @throws QueryTooHeavyError if it takes too long or too much memory.
   */
  query(plan: EventsPlan, requester?: Requester): Promise<PlanRows> {
    return this.#runner.run(plan, requester);
  }

  /**
   * Moves pending events if there are many. A few events do not start the engine:
   * queries read them from the journal almost as fast.
   * @param atLeast - number of pending events that starts a move.
   */
  async moveMany(atLeast: number): Promise<void> {
    if (this.#journal.moves.waiting(atLeast) >= atLeast) {
      await this.#columns?.mover.move();
    }
  }

  /** Forgets the uuids that are too old, and the oldest ones beyond the maximum number. */
  forgetSeen(limits: SeenLimits, signal: AbortSignal): Promise<void> {
    return this.#journal.seen.forget(limits, signal);
  }

  /** Records changes of persons that do not come from events; they are durable on return. */
  importPeople(changes: readonly ChangesOfEvent[]): void {
    this.#journal.people.import(this.#erased?.without(changes) ?? changes);
    new Set(changes.map(({ projectId }) => projectId)).forEach(projectId =>
      this.#change(projectId),
    );
  }

  /** Applies the changes of persons from all events appended before the call. */
  async applyPeople(): Promise<void> {
    await this.#people?.apply();
  }

  /** Returns a project's group types, by their numbers. */
  async groupTypes(projectId: string): Promise<readonly string[]> {
    return (await this.#people?.groupTypes(projectId)) ?? [];
  }

  state(): StoreState {
    return this.#columns
      ? {
          engine: this.#columns.columns.engine,
          waiting: this.#journal.moves.waiting(),
        }
      : { engine: 'sqlite', waiting: 0 };
  }

  /**
   * Copies everything acknowledged before the call to a directory, while events keep
   * arriving.
   * @returns whether there are columns to restore.
   */
  async backUp(directory: string): Promise<{ hasColumns: boolean }> {
    return backUpEvents(directory, {
      journal: this.#journal,
      ...this.#columns,
    });
  }

  /**
   * Returns how many events have yet to be moved to the column store, and when the oldest
   * of them arrived. Without a column store there are none.
   */
  lag(): { events: number; oldestAt: number | undefined } {
    return this.#columns
      ? this.#journal.moves.lag()
      : { events: 0, oldestAt: undefined };
  }

  /**
   * Returns the time of arrival of the oldest event that has yet to be moved to the column
   * store.
   * @param since - ignores earlier events, which were imported.
   * @returns Infinity if none waits; undefined if too many are waiting to search them all.
   */
  oldestUnmoved(since: number): number | undefined {
    return this.#journal.moves.oldestSince(since);
  }

  /** Checks whether events can be stored. */
  async isAlive(): Promise<boolean> {
    try {
      this.#journal.moves.unfinished();
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    await this.#columns?.mover.settled();
    await this.#columns?.columns.close();
    await this.#queries.close();
    this.#journal.close();
  }

  #fallBack(error: Error): void {
    this.#columns = undefined;
    this.#journal.serveQueries(true);
    this.#onFallBack(error);
  }
}
