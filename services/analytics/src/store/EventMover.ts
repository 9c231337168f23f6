import type { ServiceKit } from '@slipway/service-kit';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import type { EventsPlan, PlanRows } from '../query/language/EventsPlan.ts';
import type { Asker } from './process/QuestionQueue.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';
import type { JournalRange } from './sqlite/eventRows.ts';

/**
 * An engine made for questions over many events: chDB here, a cluster of ClickHouse
 * elsewhere. The journal stands before it, so it may be gone for a while.
 */
export interface ColumnStore {
  /** Starts the engine where it does not run; rejects where it cannot. */
  start(): Promise<void>;
  /** Resolves once the events are on disk. */
  insert(events: readonly AnalyticsEvent[]): Promise<void>;
  /** Reads events out of the journal's file, and resolves once they are on disk. */
  take(journal: EventJournal, range: JournalRange): Promise<void>;
  /** Finds which of these events it does not hold; asked only after a move was cut short. */
  missing(events: readonly AnalyticsEvent[]): Promise<AnalyticsEvent[]>;
  /**
   * Deletes the events that happened before a moment; resolves once they are gone, or
   * `signal` says that nobody waits for it.
   */
  deleteBefore(before: number, signal: AbortSignal): Promise<void>;
  query(plan: EventsPlan, asker?: Asker): Promise<PlanRows>;
  close(): Promise<void>;
}

/** The size of one step: bounds its memory. */
const MOVED_AT_ONCE = { events: 50_000, bytes: 16 * 1024 * 1024 };

/** Moves events out of the journal into a column store, one move after the other. */
export class EventMover {
  readonly #journal: EventJournal;
  readonly #columns: ColumnStore;
  readonly #onMoved: (events: number) => void;
  #moves: Promise<void> = Promise.resolve();

  /** @param options.onMoved - told of each step how many events it has moved. */
  constructor(options: {
    journal: EventJournal;
    columns: ColumnStore;
    onMoved: (events: number) => void;
  }) {
    this.#journal = options.journal;
    this.#columns = options.columns;
    this.#onMoved = options.onMoved;
  }

  /** Resolves when everything is moved that was in the journal when it was called. */
  async move(): Promise<void> {
    const upTo = this.#journal.last();
    const move = this.#moves.then(() => this.#moveUpTo(upTo));
    this.#moves = move.catch(() => undefined);
    await move;
  }

  /** Resolves when no move is under way; never rejects. */
  settled(): Promise<void> {
    return this.#moves;
  }

  async #moveUpTo(upTo: number): Promise<void> {
    const { moves } = this.#journal;
    const unfinished = moves.unfinished();
    if (unfinished) {
      const events = this.#journal.read(unfinished);
      const missing =
        events.length > 0 ? await this.#columns.missing(events) : [];
      if (missing.length > 0) {
        await this.#columns.insert(missing);
      }
      await moves.end(unfinished);
      this.#onMoved(events.length);
    }
    if (this.#journal.last() === 0) {
      return;
    }
    // Nothing is noted as moved while it is not known that the engine runs at all.
    await this.#columns.start();
    for (;;) {
      const range = moves.begin(upTo, MOVED_AT_ONCE);
      if (!range) {
        return;
      }
      await this.#columns.take(this.#journal, range);
      await moves.end(range);
      this.#onMoved(range.count);
    }
  }
}

const LOOK_MS = 1_000;
/** An engine that does not run is started ever less often. */
const LONGEST_MS = 5 * 60_000;

/**
 * Looks again and again whether many events wait, and has them moved.
 *
 * @returns what ends it.
 */
export function moveInBackground(
  store: { moveMany(): Promise<void> },
  logger: Pick<ServiceKit['logger'], 'warn'>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (pause: number) => {
    timer = setTimeout(async () => {
      let next = LOOK_MS;
      try {
        await store.moveMany();
      } catch (error) {
        next = Math.min(2 * pause, LONGEST_MS);
        logger.warn({ err: error }, 'Events could not be moved into chDB');
      }
      if (timer) {
        wait(next);
      }
    }, pause);
  };
  wait(LOOK_MS);
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}
