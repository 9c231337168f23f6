import { GroupWriter, UnavailableError } from '@slipway/service-kit';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import type { EventsPlan, PlanRows } from '../query/language/EventsPlan.ts';
import { type ColumnStore, EventMover } from './EventMover.ts';
import type { DeferredSize } from './sqlite/DeferredEvents.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';
import { ProcessEndedError } from './process/LazyProcess.ts';
import type { Asker } from './process/QuestionQueue.ts';
import type { JournalQueries } from './sqlite/JournalQueries.ts';

/** The name of what keeps events and finds them again. */
export type EngineName = 'chdb' | 'sqlite';

/** The state of the store, as metrics and pages show it. */
export interface StoreState {
  /** What answers queries. */
  readonly engine: EngineName;
  /** Events that wait to be moved into the column store. */
  readonly waiting: number;
}

/** Events of one commit at most: bounds the wait of the first of them. */
const GROUP_SIZE = 2_000;

/**
 * The number of waiting events that are moved though nobody asks: what moves in about a
 * second, so that no question waits longer for what was captured before it.
 */
const MOVE_FROM = 5_000;

/**
 * Keeps events on this machine: they are acknowledged by the journal, and moved from there into the
 * column store when somebody asks, or when many wait. So what arrives is kept whether
 * or not the engine runs, and nothing runs while little happens. Without a column store
 * the journal answers by itself.
 */
export class EventStore {
  readonly #journal: EventJournal;
  readonly #queries: JournalQueries;
  readonly #writer: GroupWriter<readonly AnalyticsEvent[], number>;
  readonly #deferrer: GroupWriter<readonly AnalyticsEvent[], void>;
  readonly #onFallBack: (error: unknown) => void;
  #columns: ColumnStore | undefined;
  #mover: EventMover | undefined;
  #waiting: number;
  /** How often the events of a project have become others. */
  readonly #versions = new Map<string, number>();
  #deletions = 0;

  /** @param options.onFallBack - told why the journal answers though there is a column store. */
  constructor(options: {
    journal: EventJournal;
    queries: JournalQueries;
    onFallBack: (error: unknown) => void;
  }) {
    this.#journal = options.journal;
    this.#queries = options.queries;
    this.#onFallBack = options.onFallBack;
    // Requests that arrive together are one commit; each is whole in one.
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
    this.#waiting = this.#journal.count();
    this.#journal.serveQueries(true);
  }

  /** Answers out of a column store from now on. */
  useColumns(columns: ColumnStore): void {
    this.#columns = columns;
    this.#mover = new EventMover({
      journal: this.#journal,
      columns,
      onMoved: events => {
        this.#waiting -= events;
      },
    });
    this.#journal.serveQueries(false);
  }

  /**
   * Resolves once all of the events are on disk, where no kill takes them away. Those
   * whose uuid the project has had before are left out.
   *
   * @returns how many were new.
   */
  async append(events: readonly AnalyticsEvent[]): Promise<number> {
    const added = await this.#writer.add(events);
    this.#waiting += added;
    new Set(events.map(({ projectId }) => projectId)).forEach(projectId =>
      this.#change(projectId),
    );
    return added;
  }

  /** Another number whenever the answers about a project may be others. */
  versionOf(projectId: string): number {
    return this.#deletions + (this.#versions.get(projectId) ?? 0);
  }

  #change(projectId: string): void {
    this.#versions.set(projectId, (this.#versions.get(projectId) ?? 0) + 1);
  }

  /**
   * Answers over everything that was appended before.
   *
   * @param asker - waits for its turn where the engine is busy.
   * @returns one row more than `plan.limit` where there are more.
   * @throws UnavailableError when the engine does not answer.
   * @throws QueryTooHeavyError when it takes too long or too much memory.
   */
  async query(plan: EventsPlan, asker?: Asker): Promise<PlanRows> {
    const columns = this.#columns;
    const mover = this.#mover;
    if (columns && mover) {
      try {
        return await askTwice(async () => {
          await mover.move();
          return columns.query(plan, asker);
        });
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
      return await askTwice(() => this.#queries.query(plan, asker));
    } catch (error) {
      throw error instanceof ProcessEndedError
        ? new UnavailableError('Queries are temporarily unavailable', {
            cause: error,
          })
        : error;
    }
  }

  /**
   * Moves what waits where it is a lot. A few events wake no engine: they are moved by
   * the next question.
   */
  async moveMany(): Promise<void> {
    if (this.#waiting >= MOVE_FROM) {
      await this.#mover?.move();
    }
  }

  /**
   * Resolves once the events of one project are on disk, where no kill takes them away.
   * Questions see them once they are admitted.
   */
  async defer(events: readonly AnalyticsEvent[]): Promise<void> {
    await this.#deferrer.add(events);
  }

  /** How much of a project is deferred. */
  deferredOf(projectId: string): DeferredSize {
    return this.#journal.deferred.sizeOf(projectId);
  }

  /** The projects of which events are deferred. */
  deferredProjects(): string[] {
    return this.#journal.deferred.projects();
  }

  /**
   * Admits the oldest deferred events of a project.
   *
   * @returns how many there were, and how many of them were new.
   */
  admit(projectId: string, count: number): { admitted: number; added: number } {
    const result = this.#journal.deferred.admit(projectId, count);
    this.#waiting += result.added;
    this.#change(projectId);
    return result;
  }

  /** Forgets uuids that came before a moment. */
  forgetSeen(before: number, signal: AbortSignal): Promise<void> {
    return this.#journal.forgetSeen(before, signal);
  }

  /**
   * Deletes the events that happened before a moment.
   *
   * @param signal - the rest may stay for the next time.
   * @throws UnavailableError when they are in chDB, which cannot be used.
   */
  async deleteBefore(before: number, signal: AbortSignal): Promise<void> {
    if (this.#columns && this.#mover) {
      await this.#mover.move();
      await this.#columns.deleteBefore(before, signal);
    } else if (this.#journal.moves.everBegun()) {
      throw outOfReach();
    } else {
      this.#waiting -= await this.#journal.deleteBefore(before, signal);
    }
    this.#deletions += 1;
  }

  state(): StoreState {
    return this.#columns
      ? { engine: 'chdb', waiting: this.#waiting }
      : { engine: 'sqlite', waiting: 0 };
  }

  /** Says whether events can be kept. */
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

  #fallBack(error: Error): void {
    this.#columns = undefined;
    this.#mover = undefined;
    this.#journal.serveQueries(true);
    this.#onFallBack(error);
  }
}

function outOfReach(): UnavailableError {
  return new UnavailableError('The events are in chDB, which is not available');
}

/** An engine that died, of whatever, is started anew by the second question. */
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
