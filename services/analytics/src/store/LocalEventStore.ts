import { UnavailableError } from '@slipway/service-kit';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import type { EventsPlan, PlanRows } from '../query/EventsPlan.ts';
import type { ColumnStore } from './ColumnStore.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';
import type { EventStore, StoreState } from './EventStore.ts';
import { GroupAppend } from './GroupAppend.ts';
import { ProcessEndedError } from './process/LazyProcess.ts';
import type { JournalQueries } from './sqlite/JournalQueries.ts';

const MOVED_AT_ONCE = 10_000;
/** So many events wait before they are moved though nobody asks. */
const MOVE_FROM = 50_000;

/**
 * Events on this machine: acknowledged by the journal, and moved from there into the
 * column store when somebody asks, or when many wait. So what arrives is kept whether
 * or not the engine runs, and nothing runs while nobody asks. Without a column store
 * the journal answers by itself.
 */
export class LocalEventStore implements EventStore {
  readonly #journal: EventJournal;
  readonly #queries: JournalQueries;
  readonly #group: GroupAppend;
  readonly #onFallBack: (error: unknown) => void;
  #columns: ColumnStore | undefined;
  #waiting: number;
  #moves: Promise<void> = Promise.resolve();

  /** @param options.onFallBack - told why the journal answers though there is a column store. */
  constructor(options: {
    journal: EventJournal;
    queries: JournalQueries;
    onFallBack: (error: unknown) => void;
  }) {
    this.#journal = options.journal;
    this.#queries = options.queries;
    this.#onFallBack = options.onFallBack;
    this.#group = new GroupAppend(groups => this.#journal.append(groups));
    this.#waiting = this.#journal.count();
    this.#journal.serveQueries(true);
  }

  /** Answers out of a column store from now on. */
  useColumns(columns: ColumnStore): void {
    this.#columns = columns;
    this.#journal.serveQueries(false);
  }

  async append(events: readonly AnalyticsEvent[]): Promise<number> {
    const added = await this.#group.append(events);
    this.#waiting += added;
    return added;
  }

  async query(plan: EventsPlan): Promise<PlanRows> {
    const columns = this.#columns;
    if (columns) {
      try {
        return await askTwice(() => this.#ask(columns, plan));
      } catch (error) {
        if (!(error instanceof ProcessEndedError)) {
          throw error;
        }
        if (this.#journal.wasMoved()) {
          throw new UnavailableError('The engine of the events does not run', {
            cause: error,
          });
        }
        this.#fallBack(error);
      }
    } else if (this.#journal.wasMoved()) {
      throw new UnavailableError(
        'The events are in chDB, which cannot be used here now',
      );
    }
    try {
      return await askTwice(() => this.#queries.query(plan));
    } catch (error) {
      throw error instanceof ProcessEndedError
        ? new UnavailableError('Questions cannot be answered now', {
            cause: error,
          })
        : error;
    }
  }

  /** Moves what waits where it is a lot. */
  async moveMany(): Promise<void> {
    if (this.#columns && this.#waiting >= MOVE_FROM) {
      await this.#move(this.#columns);
    }
  }

  /** Forgets uuids that came before a moment, a few at once. */
  forgetSeen(before: number): boolean {
    return this.#journal.forgetSeen(before);
  }

  state(): StoreState {
    return this.#columns
      ? { engine: 'chdb', waiting: this.#waiting }
      : { engine: 'sqlite', waiting: 0 };
  }

  async isAlive(): Promise<boolean> {
    try {
      this.#journal.unfinishedMove();
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    await this.#moves;
    await this.#columns?.close();
    await this.#queries.close();
    this.#journal.close();
  }

  #fallBack(error: Error): void {
    this.#columns = undefined;
    this.#journal.serveQueries(true);
    this.#onFallBack(error);
  }

  async #ask(columns: ColumnStore, plan: EventsPlan): Promise<PlanRows> {
    await this.#move(columns);
    return columns.query(plan);
  }

  /** One move after the other; resolves when everything that was there is moved. */
  async #move(columns: ColumnStore): Promise<void> {
    const upTo = this.#journal.last();
    const move = this.#moves.then(() => this.#moveUpTo(columns, upTo));
    this.#moves = move.catch(() => undefined);
    await move;
  }

  async #moveUpTo(columns: ColumnStore, upTo: number): Promise<void> {
    const unfinished = this.#journal.unfinishedMove();
    if (unfinished) {
      const events = this.#journal.read(unfinished);
      const missing = await columns.missing(events);
      if (missing.length > 0) {
        await columns.insert(missing);
      }
      this.#journal.endMove(unfinished);
      this.#waiting -= events.length;
    }
    if (this.#journal.last() === 0) {
      return;
    }
    // Nothing is noted as moved while it is not known that the engine runs at all.
    await columns.start();
    for (;;) {
      const range = this.#journal.beginMove(upTo, MOVED_AT_ONCE);
      if (!range) {
        return;
      }
      const events = this.#journal.read(range);
      await columns.insert(events);
      this.#journal.endMove(range);
      this.#waiting -= events.length;
    }
  }
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
