import type { ServiceKit } from '@slipway/service-kit';
import type { ColumnStore } from './ColumnStore.ts';
import type { StoreViews } from './StoreViews.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';

/** Maximum size of one step, to limit its memory. */
const MOVED_AT_ONCE = { events: 100_000, bytes: 16 * 1024 * 1024 };

/** Moves events from the journal to a column store, one move at a time. */
export class EventMover {
  readonly #journal: EventJournal;
  readonly #columns: ColumnStore;
  readonly #views: StoreViews;
  #moves: Promise<void> = Promise.resolve();

  /** @param options.views - open views of the store while events move. */
  constructor(options: {
    journal: EventJournal;
    columns: ColumnStore;
    views: StoreViews;
  }) {
    this.#journal = options.journal;
    this.#columns = options.columns;
    this.#views = options.views;
  }

  /** Resolves once everything that was in the journal at the time of the call is moved. */
  async move(): Promise<void> {
    const upTo = this.#journal.last();
    const move = this.#moves.then(() => this.#moveUpTo(upTo));
    this.#moves = move.catch(() => undefined);
    await move;
  }

  /** Runs work while no events are being moved. */
  async alone(work: () => Promise<void>): Promise<void> {
    const done = this.#moves.then(work);
    this.#moves = done.catch(() => undefined);
    await done;
  }

  /** Resolves once no move is in progress; never rejects. */
  settled(): Promise<void> {
    return this.#moves;
  }

  async #moveUpTo(upTo: number): Promise<void> {
    const { moves } = this.#journal;
    if (moves.unfinished() || moves.boundary() < upTo) {
      // Record a move only once the engine is known to be running.
      await this.#columns.start();
      await this.#views.whileMoving(() => this.#moveSteps(upTo));
    }
    await moves.forget(this.#views.doneUpTo());
  }

  async #moveSteps(upTo: number): Promise<void> {
    const { moves } = this.#journal;
    const unfinished = moves.unfinished();
    if (unfinished) {
      await this.#columns.take(this.#journal, unfinished, { isRepeated: true });
      moves.end(unfinished);
    }
    for (;;) {
      const range = moves.begin(upTo, MOVED_AT_ONCE, this.#columns.engine);
      if (!range) {
        return;
      }
      await this.#columns.take(this.#journal, range, { isRepeated: false });
      moves.end(range);
      await moves.forget(this.#views.doneUpTo());
    }
  }
}

/** A column store, and the mover that fills it. */
export interface Columns {
  readonly columns: ColumnStore;
  readonly mover: EventMover;
}

const LOOK_MS = 1_000;
/** Maximum milliseconds between attempts to move events while they fail. */
const LONGEST_MS = 60_000;

/**
 * Polls the number of pending events, and moves them once there are many.
 * @param options.moveFrom - number of pending events that starts a move.
 * @returns a function that stops it.
 */
export function moveInBackground(
  store: { moveMany(atLeast: number): Promise<void> },
  options: { logger: Pick<ServiceKit['logger'], 'warn'>; moveFrom: number },
): () => void {
  const { logger, moveFrom } = options;
  let timer: NodeJS.Timeout | undefined;
  const wait = (pause: number) => {
    timer = setTimeout(async () => {
      let next = LOOK_MS;
      try {
        await store.moveMany(moveFrom);
      } catch (error) {
        next = Math.min(2 * pause, LONGEST_MS);
        logger.warn(
          { err: error },
          'Events could not be moved into the column store',
        );
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
