import type { ColumnStore } from './ColumnStore.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';

/** Of one step: what it holds in memory, and how long it holds up what arrives. */
const MOVED_AT_ONCE = { events: 10_000, bytes: 16 * 1024 * 1024 };

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
      const missing = await this.#columns.missing(events);
      if (missing.length > 0) {
        await this.#columns.insert(missing);
      }
      moves.end(unfinished);
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
      const events = this.#journal.read(range);
      await this.#columns.insert(events);
      moves.end(range);
      this.#onMoved(events.length);
    }
  }
}
