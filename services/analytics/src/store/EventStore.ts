import path from 'node:path';
import { GroupWriter, UnavailableError } from '@slipway/service-kit';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import {
  type EventsPlan,
  type PlanRows,
  readsGroups,
} from '../query/language/EventsPlan.ts';
import type { ChangesOfEvent } from '../people/PersonChange.ts';
import type { ErasedIds } from '../people/ErasedIds.ts';
import { PeopleCopies } from '../people/PeopleCopies.ts';
import type { PersonStore } from '../people/storage/PersonStore.ts';
import {
  type ColumnStore,
  EventMover,
  type QuestionContext,
  StoreViews,
} from './EventMover.ts';
import type { DeferredSize } from './sqlite/DeferredEvents.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';
import type { CountedArrivals, CountRequest } from './sqlite/countArrivals.ts';
import type { JournalArrivals } from './sqlite/JournalArrivals.ts';
import { BACKUP_FILES } from './backupFiles.ts';
import { ProcessEndedError } from './process/LazyProcess.ts';
import type { Asker } from './process/QuestionQueue.ts';
import type { SeenLimits } from './sqlite/SeenUuids.ts';
import type { JournalQueries } from './sqlite/JournalQueries.ts';

/** The name of an engine that stores and queries events. */
export type EngineName = 'chdb' | 'clickhouse' | 'sqlite';

/** The state of the store, as metrics and pages show it. */
export interface StoreState {
  /** The engine that runs queries. */
  readonly engine: EngineName;
  /** Number of events not yet moved to the column store. */
  readonly waiting: number;
}

/** Maximum events of one commit, to limit the wait of the first of them. */
const GROUP_SIZE = 2_000;

/**
 * Stores events on this machine. Events are acknowledged once they are in the journal,
 * and moved from there to the column store when many are pending; queries read both. So
 * events are stored whether or not the engine is running, and it need not run while
 * there is little to do. Without a column store, queries read only the journal.
 */
export class EventStore {
  readonly #journal: EventJournal;
  readonly #queries: JournalQueries;
  readonly #writer: GroupWriter<readonly AnalyticsEvent[], number>;
  readonly #deferrer: GroupWriter<readonly AnalyticsEvent[], void>;
  readonly #onFallBack: (error: unknown) => void;
  readonly #views: StoreViews;
  readonly #people: PeopleCopies | undefined;
  readonly #erased: ErasedIds | undefined;
  #reader: { count(): Promise<void> } | undefined;
  #columns: ColumnStore | undefined;
  #mover: EventMover | undefined;
  /** How often the events of each project have changed. */
  readonly #versions = new Map<string, number>();
  #deletions = 0;

  /**
   * @param options.persons - the store to which changes of persons are applied.
   * @param options.erased - ids for which nothing is stored.
   * @param options.onFallBack - called with the reason if the journal runs queries
   *   instead of the column store.
   */
  constructor(options: {
    journal: EventJournal;
    queries: JournalQueries;
    persons?: PersonStore;
    erased?: ErasedIds;
    onFallBack: (error: unknown) => void;
  }) {
    this.#journal = options.journal;
    this.#queries = options.queries;
    this.#onFallBack = options.onFallBack;
    this.#erased = options.erased;
    this.#people =
      options.persons &&
      new PeopleCopies({ journal: this.#journal, store: options.persons });
    // Requests that arrive together share one commit; none is split.
    this.#writer = new GroupWriter({
      write: groups => this.#journal.append(groups),
      groupSize: GROUP_SIZE,
      sizeOf: events => events.length,
    });
    this.#deferrer = new GroupWriter<readonly AnalyticsEvent[], void>({
      write: groups => {
        this.#journal.deferred.add(groups);
        return [];
      },
      groupSize: GROUP_SIZE,
      sizeOf: events => events.length,
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
    this.#journal.serveQueries(true);
  }

  /** Uses a column store for queries from now on. */
  useColumns(columns: ColumnStore): void {
    this.#columns = columns;
    this.#mover = new EventMover({
      journal: this.#journal,
      columns,
      views: this.#views,
    });
    this.#journal.serveQueries(false);
  }

  /** The events in the order of their arrival. */
  get arrivals(): JournalArrivals {
    return this.#journal.arrivals;
  }

  /** Counts events in the order of their arrival, in another process. */
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
    return this.#deletions + (this.#versions.get(projectId) ?? 0);
  }

  #change(projectId: string): void {
    this.#versions.set(projectId, (this.#versions.get(projectId) ?? 0) + 1);
  }

  /**
   * Runs a query over everything appended before.
   * @param asker - waits for its turn while the engine is busy.
   * @returns one row more than `plan.limit` if there are more.
   * @throws UnavailableError if the engine does not respond.
   * @throws QueryTooHeavyError if it takes too long or too much memory.
   */
  async query(plan: EventsPlan, asker?: Asker): Promise<PlanRows> {
    const columns = this.#columns;
    if (columns) {
      const context = {
        views: this.#views,
        ...(await this.#peopleOf(plan, columns)),
      };
      if (!columns.readsJournal) {
        await this.#mover?.move();
      }
      try {
        return await askTwice(() => columns.query(plan, context, asker));
      } catch (error) {
        if (!(error instanceof ProcessEndedError)) {
          throw error;
        }
        if (this.#journal.moves.everBegun()) {
          throw new UnavailableError('The event store is not running', {
            cause: error,
          });
        }
        this.#fallBack(error);
      }
    } else if (this.#journal.moves.everBegun()) {
      throw outOfReach();
    }
    try {
      const context = await this.#peopleOf(plan);
      return await askTwice(() => this.#queries.query(plan, context, asker));
    } catch (error) {
      throw error instanceof ProcessEndedError
        ? new UnavailableError('Queries are temporarily unavailable', {
            cause: error,
          })
        : error;
    }
  }

  /**
   * Moves pending events if there are many. A few events do not start the engine:
   * queries read them from the journal almost as fast.
   * @param atLeast - number of pending events that starts a move.
   */
  async moveMany(atLeast: number): Promise<void> {
    if (this.#journal.moves.waiting(atLeast) >= atLeast) {
      await this.#mover?.move();
    }
  }

  /**
   * Resolves once the events of one project are durably queued. Queries see them after
   * they are admitted.
   */
  async defer(events: readonly AnalyticsEvent[]): Promise<void> {
    await this.#deferrer.add(this.#kept(events));
  }

  /** Returns how much of a project is deferred. */
  deferredOf(projectId: string): DeferredSize {
    return this.#journal.deferred.sizeOf(projectId);
  }

  /** Returns when the oldest deferred event of a project arrived; undefined without any. */
  oldestDeferredOf(projectId: string): number | undefined {
    return this.#journal.deferred.oldest(projectId);
  }

  /** Returns the projects with deferred events. */
  deferredProjects(): string[] {
    return this.#journal.deferred.projects();
  }

  /**
   * Admits the oldest deferred events of a project.
   * @returns how many were admitted, and how many of them were new.
   */
  admit(projectId: string, count: number): { admitted: number; added: number } {
    const result = this.#journal.deferred.admit(projectId, count);
    this.#change(projectId);
    return result;
  }

  /** Forgets uuids that are too old, or exceed the maximum. */
  forgetSeen(limits: SeenLimits, signal: AbortSignal): Promise<void> {
    return this.#journal.seen.forget(limits, signal);
  }

  /**
   * Deletes events that happened before a time, of one project or of all.
   * @param signal - stops the deletion; the rest is deleted next time.
   * @throws UnavailableError if they are in a column store that cannot be used.
   */
  async deleteBefore(
    before: number,
    signal: AbortSignal,
    projectId?: string,
  ): Promise<void> {
    if (this.#columns && this.#mover) {
      // Uncounted events would stay in the journal.
      await this.#reader?.count();
      await this.#mover.move();
      await this.#columns.deletes.before(before, signal, projectId);
    } else if (this.#journal.moves.everBegun()) {
      throw outOfReach();
    } else {
      await this.#journal.deleteBefore(before, signal, projectId);
    }
    this.#journal.cleanLog();
    this.#deletions += 1;
  }

  /**
   * Deletes the events of a project.
   * @param signal - stops the deletion; another call deletes the rest.
   * @throws UnavailableError if they are in a column store that cannot be used.
   */
  async deleteProject(projectId: string, signal: AbortSignal): Promise<void> {
    if (this.#columns && this.#mover) {
      await this.#mover.move();
      await this.#columns.deletes.project(projectId, signal);
    } else if (this.#journal.moves.everBegun()) {
      throw outOfReach();
    }
    this.#journal.deleteProject(projectId);
    this.#change(projectId);
  }

  /** Records changes of persons that do not come from events; they are durable on return. */
  importPeople(changes: readonly ChangesOfEvent[]): void {
    this.#journal.people.import(this.#erased?.without(changes) ?? changes);
    new Set(changes.map(({ projectId }) => projectId)).forEach(projectId =>
      this.#change(projectId),
    );
  }

  /** Applies the changes of persons that events describe. */
  async applyPeople(): Promise<void> {
    await this.#people?.apply();
  }

  /**
   * Deletes every event of some ids of a project, and everything else stored about them.
   * @throws UnavailableError if they are in a column store that cannot be used.
   */
  async erase(
    projectId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#columns && this.#mover) {
      // Finish moves in progress, so that they do not restore events afterwards.
      await this.#mover.move();
      await this.#columns.deletes.ids(projectId, ids, signal);
    } else if (this.#journal.moves.everBegun()) {
      throw outOfReach();
    }
    signal.throwIfAborted();
    this.#journal.erase(projectId, ids);
    this.#change(projectId);
  }

  /**
   * Deletes the properties of a group. An event of the group creates it again.
   * @throws UnavailableError if they are in a column store that cannot be used.
   */
  async removeGroup(
    projectId: string,
    group: { type: string; key: string },
    signal: AbortSignal,
  ): Promise<void> {
    await this.#people?.removeGroup(projectId, group, async () => {
      if (this.#columns) {
        await this.#columns.deletes.group(projectId, group, signal);
      } else if (this.#journal.moves.everBegun()) {
        throw outOfReach();
      }
      signal.throwIfAborted();
      this.#journal.tables.removeGroup(projectId, group);
      this.#journal.people.forgetGroups();
    });
    this.#change(projectId);
  }

  /** Returns a project's group types, by their numbers. */
  async groupTypes(projectId: string): Promise<readonly string[]> {
    return (await this.#people?.groupTypes(projectId)) ?? [];
  }

  state(): StoreState {
    return this.#columns
      ? {
          engine: this.#columns.engine,
          waiting: this.#journal.moves.waiting(),
        }
      : { engine: 'sqlite', waiting: 0 };
  }

  /**
   * Copies everything that was acknowledged before to a directory, while events arrive.
   * @returns whether there are columns to restore.
   */
  async backUp(directory: string): Promise<{ hasColumns: boolean }> {
    const columns = this.#columns;
    const hasMoved = this.#journal.moves.everBegun();
    if (hasMoved && !columns) {
      throw outOfReach();
    }
    const hasColumns = hasMoved && columns?.backUp !== undefined;
    const copy = async () => {
      if (hasColumns) {
        await columns?.backUp?.(path.join(directory, BACKUP_FILES.columns));
      }
      await this.#journal.backUp(path.join(directory, BACKUP_FILES.journal), {
        isShared: hasMoved && !hasColumns,
      });
    };
    // Both hold the same boundary, so that each event is in exactly one of them.
    await (this.#mover ? this.#mover.alone(copy) : copy());
    return { hasColumns };
  }

  /** Returns what waits to be moved to the column store, and since when; nothing without one. */
  lag(): { events: number; oldestAt: number | undefined } {
    return this.#columns
      ? this.#journal.moves.lag()
      : { events: 0, oldestAt: undefined };
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
    await this.#mover?.settled();
    await this.#columns?.close();
    await this.#queries.close();
    this.#journal.close();
  }

  /** Prepares the persons for a query of a project. */
  async #peopleOf(
    { projectId, select }: EventsPlan,
    columns?: ColumnStore,
  ): Promise<Omit<QuestionContext, 'views'>> {
    const people = this.#people;
    if (!people) {
      return {
        groupTypes: [],
        knowPeople: async () => ({ hasSharedIds: false }),
      };
    }
    if (readsGroups(select)) {
      // A waiting event may be the first of its type of groups.
      await people.apply();
    }
    return {
      groupTypes: await people.groupTypes(projectId),
      knowPeople: () =>
        columns
          ? people.copyTo({ engine: columns.engine, projectId }, columns)
          : people.copyTo(
              { engine: 'sqlite', projectId },
              this.#journal.tables,
            ),
    };
  }

  #fallBack(error: Error): void {
    this.#columns = undefined;
    this.#mover = undefined;
    this.#journal.serveQueries(true);
    this.#onFallBack(error);
  }
}

function outOfReach(): UnavailableError {
  return new UnavailableError(
    'The events are in a column store that is not available',
  );
}

/** Retries once if the engine's process has died, which restarts it. */
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
