import { GroupWriter, UnavailableError } from '@slipway/service-kit';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import type { EventsPlan, PlanRows } from '../query/language/Expression.ts';
import type { ChangesOfEvent } from '../people/PersonChange.ts';
import type { ErasedIds } from '../people/ErasedIds.ts';
import { PeopleCopies } from '../people/PeopleCopies.ts';
import type { PersonStore } from '../people/storage/PersonStore.ts';
import type { ColumnStore, PlanContext } from './ColumnStore.ts';
import { backUpEvents } from './backUpEvents.ts';
import { DeferredIntake } from './DeferredIntake.ts';
import { EventDeletes } from './EventDeletes.ts';
import { type ArrivalsReader, EventMover } from './EventMover.ts';
import { ProcessEndedError } from './process/LazyProcess.ts';
import type { Requester } from './process/QueryQueue.ts';
import type { EventJournal, SeenLimits } from './sqlite/EventJournal.ts';
import type { CountedArrivals, CountRequest } from './sqlite/countArrivals.ts';
import type { JournalArrivals } from './sqlite/JournalArrivals.ts';
import type { JournalQueries } from './sqlite/JournalQueries.ts';

/** The name of an engine that stores and queries events. */
export type EngineName = 'chdb' | 'clickhouse' | 'sqlite';

interface EventStoreOptions {
  journal: EventJournal;
  queries: JournalQueries;
  /** The store to which changes of persons are applied. */
  persons?: PersonStore;
  /** Ids of deleted people, for which nothing may be stored. */
  erased?: ErasedIds;
  /** Called with the reason if the journal runs queries instead of the column store. */
  onFallBack: (error: unknown) => void;
  /** Called with the reason if a change of a person is dropped. */
  onDropped?: (error: unknown) => void;
}

/** Stands in for persons and groups in a store that has none. */
const NO_PEOPLE = {
  groupTypes: [],
  copyPeople: async () => ({ hasSharedIds: false }),
};

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
  readonly #options: EventStoreOptions;
  readonly #journal: EventJournal;
  readonly #writer: GroupWriter<readonly AnalyticsEvent[], number>;
  readonly #mover: EventMover;
  readonly #people: PeopleCopies | undefined;
  /** Number of changes by project; undefined for changes that may have affected all. */
  readonly #changes = new Map<string | undefined, number>();

  constructor(options: EventStoreOptions) {
    const { journal, persons, erased, onDropped } = options;
    this.#options = options;
    this.#journal = journal;
    this.#people =
      persons &&
      new PeopleCopies({
        journal,
        store: persons,
        ...(erased && { erased }),
        onDropped: onDropped ?? (() => undefined),
      });
    // Requests that arrive together share one commit; no request is split across commits.
    this.#writer = new GroupWriter({
      write: groups => journal.append(groups),
      arrivalMs: ARRIVAL_MS,
      groupSize: GROUP_SIZE,
      sizeOf: events => events.length,
    });
    this.#mover = new EventMover(journal);
    const onChange = (projectId?: string) => this.#change([{ projectId }]);
    this.deferred = new DeferredIntake({
      journal,
      kept: events => this.#kept(events),
      onChange,
      groupSize: GROUP_SIZE,
    });
    this.deletes = new EventDeletes({
      journal,
      people: this.#people,
      mover: this.#mover,
      onChange,
    });
    journal.serveQueries(true);
  }

  /** Uses a column store for queries from now on. */
  useColumns(columns: ColumnStore): void {
    this.#mover.columns = columns;
    this.#journal.serveQueries(false);
  }

  /** The journal's events in order of arrival. */
  get arrivals(): JournalArrivals {
    return this.#journal.arrivals;
  }

  /** Counts events in order of arrival, in a separate process. */
  countArrivals(request: CountRequest): Promise<CountedArrivals> {
    return this.#options.queries.count(request);
  }

  /** Keeps events in the journal until a reader of arrivals has counted them. */
  keepFor(reader: ArrivalsReader): void {
    this.#mover.reader = reader;
  }

  /**
   * Resolves once all events are durably on disk. Skips those with a uuid that the
   * project already has.
   * @returns how many were new.
   */
  async append(events: readonly AnalyticsEvent[]): Promise<number> {
    const added = await this.#writer.add(this.#kept(events));
    this.#change(events);
    return added;
  }

  #kept(events: readonly AnalyticsEvent[]): readonly AnalyticsEvent[] {
    return this.#options.erased?.without(events) ?? events;
  }

  /** Returns a different number whenever results for the project may have changed. */
  versionOf(projectId: string): number {
    return [projectId, undefined].reduce(
      (sum, each) => sum + (this.#changes.get(each) ?? 0),
      0,
    );
  }

  #change(changed: readonly { projectId?: string }[]): void {
    new Set(changed.map(({ projectId }) => projectId)).forEach(each =>
      this.#changes.set(each, (this.#changes.get(each) ?? 0) + 1),
    );
  }

  /**
   * Runs a query over everything appended before the call, on the column store, or on the
   * journal if there is none. If the engine cannot run and has never received events, the
   * journal takes over.
   * @param requester - the caller; its queries wait their turn while the engine is busy.
   * @returns one row more than `plan.limit` if there are more.
   * @throws UnavailableError if the engine does not respond.
   * @throws QueryTooHeavyError if it takes too long or too much memory.
   */
  async query(plan: EventsPlan, requester?: Requester): Promise<PlanRows> {
    const { queries, onFallBack } = this.#options;
    const columns = this.#mover.reachable();
    try {
      const people = (await this.#people?.prepare(plan, columns)) ?? NO_PEOPLE;
      if (!columns) {
        return await askTwice(() => queries.query(plan, people, requester));
      }
      if (!columns.readsJournal) {
        await this.#mover.move();
      }
      const context: PlanContext = {
        look: ask => this.#mover.look(plan.projectId, ask),
        ...people,
      };
      return await askTwice(() => columns.query(plan, context, requester));
    } catch (error) {
      if (!(error instanceof ProcessEndedError)) {
        throw error;
      }
      if (columns && !this.#journal.moves.everBegun()) {
        this.#mover.columns = undefined;
        this.#journal.serveQueries(true);
        onFallBack(error);
        return this.query(plan, requester);
      }
      throw new UnavailableError(
        columns
          ? 'The event store is not running'
          : 'Queries are temporarily unavailable',
        { cause: error },
      );
    }
  }

  /**
   * Moves pending events if there are many. A few events do not start the engine:
   * queries read them from the journal almost as fast.
   * @param atLeast - number of pending events that starts a move.
   */
  async moveMany(atLeast: number): Promise<void> {
    if (this.#journal.moves.waiting(atLeast) >= atLeast) {
      await this.#mover.move();
    }
  }

  /** Forgets the uuids that are too old, and the oldest ones beyond the maximum number. */
  forgetSeen(limits: SeenLimits, signal: AbortSignal): Promise<void> {
    return this.#journal.forgetSeen(limits, signal);
  }

  /** Records changes of persons that do not come from events; they are durable on return. */
  importPeople(changes: readonly ChangesOfEvent[]): void {
    this.#journal.people.import(
      this.#options.erased?.without(changes) ?? changes,
    );
    this.#change(changes);
  }

  /** Applies the changes of persons from all events appended before the call. */
  async applyPeople(): Promise<void> {
    await this.#people?.apply();
  }

  /** Returns a project's group types, by their numbers. */
  async groupTypes(projectId: string): Promise<readonly string[]> {
    return (await this.#people?.groupTypes(projectId)) ?? [];
  }

  /** Returns the engine that runs queries, and how many events are not yet moved to it. */
  state(): { engine: EngineName; waiting: number } {
    const { columns } = this.#mover;
    return columns
      ? { engine: columns.engine, waiting: this.#journal.moves.waiting() }
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
      mover: this.#mover,
    });
  }

  /**
   * Returns how many events have yet to be moved to the column store, and when the oldest
   * of them arrived. Without a column store there are none.
   */
  lag(): { events: number; oldestAt: number | undefined } {
    return this.#mover.columns
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
    await this.#mover.settled();
    await this.#mover.columns?.close();
    await this.#options.queries.close();
    this.#journal.close();
  }
}

/** Runs a query; if the engine's process has died, retries once, which restarts it. */
async function askTwice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProcessEndedError)) {
      throw error;
    }
    return ask();
  }
}
