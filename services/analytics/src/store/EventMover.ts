import { type ServiceKit, UnavailableError } from '@slipway/service-kit';
import type { ColumnStore, StoreView } from './ColumnStore.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';

/** Maximum size of one step, to limit its memory. */
const MOVED_AT_ONCE = { events: 100_000, bytes: 16 * 1024 * 1024 };

/** Counts the events of the journal in order of arrival. */
export interface ArrivalsReader {
  /** Returns the last position that it has counted. */
  counted(): number;
  /** Counts all events that have arrived. */
  count(): Promise<void>;
}

/**
 * Moves events from the journal to a column store, one move at a time, and tracks the running
 * queries: it does not delete events that a query still reads in the journal, and begins no move
 * before all queries that assume that no events are moved have ended.
 */
export class EventMover {
  /** The column store; undefined while queries only read the journal. */
  columns: ColumnStore | undefined;
  /** Counts arrivals; events that it has not counted yet stay in the journal. */
  reader: ArrivalsReader | undefined;
  readonly #journal: EventJournal;
  readonly #open = new Map<StoreView, Promise<unknown>>();
  #isMoving = false;
  #moves: Promise<void> = Promise.resolve();

  constructor(journal: EventJournal) {
    this.#journal = journal;
  }

  /**
   * Returns the column store; undefined if the journal has all events.
   * @throws UnavailableError if events are in a column store that cannot be used.
   */
  reachable(): ColumnStore | undefined {
    if (!this.columns && this.#journal.moves.everBegun()) {
      throw new UnavailableError(
        'The events are in a column store that is not available',
      );
    }
    return this.columns;
  }

  /**
   * Runs a query of a project's events with a view that stays open until the query ends. The view has no
   * positions of the journal if none of the project's events wait there: opening the journal's file takes
   * an engine longer than a simple query.
   */
  async look<T>(
    projectId: string,
    ask: (view: StoreView) => Promise<T>,
  ): Promise<T> {
    const { moves } = this.#journal;
    const boundary = moves.boundary();
    // Between these steps, no event can arrive and no move can end.
    const last = this.#journal.last();
    const view: StoreView = {
      journal: this.#journal,
      boundary,
      upTo: moves.hasWaiting(projectId, last) ? last : boundary,
      mayBeMoved: this.#isMoving || moves.unfinished() !== undefined,
    };
    const asking = ask(view);
    this.#open.set(view, asking);
    try {
      return await asking;
    } finally {
      this.#open.delete(view);
    }
  }

  /**
   * Resolves once everything that was in the journal at the time of the call is moved, or
   * stays there because the journal has taken over from the column store.
   */
  async move(): Promise<void> {
    const { columns } = this;
    if (columns) {
      const upTo = this.#journal.last();
      await this.alone(() => this.#moveUpTo(upTo, columns));
    }
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

  async #moveUpTo(upTo: number, columns: ColumnStore): Promise<void> {
    const { moves } = this.#journal;
    if (moves.unfinished() || moves.boundary() < upTo) {
      // Record a move only once the engine is known to be running.
      await columns.start();
      this.#isMoving = true;
      try {
        // Waits only for earlier queries: those that begin from now on know about the move.
        await Promise.allSettled(
          [...this.#open].map(([{ mayBeMoved }, asking]) =>
            mayBeMoved ? undefined : asking,
          ),
        );
        // If the journal has taken over in the meantime, queries would miss moved events.
        if (this.columns === columns) {
          await this.#moveSteps(upTo, columns);
        }
      } finally {
        this.#isMoving = false;
      }
    }
    await this.#forget();
  }

  async #moveSteps(upTo: number, columns: ColumnStore): Promise<void> {
    const { moves } = this.#journal;
    const unfinished = moves.unfinished();
    if (unfinished) {
      await columns.take(this.#journal, unfinished, { isRepeated: true });
      moves.end(unfinished);
    }
    for (;;) {
      const range = moves.begin(upTo, MOVED_AT_ONCE, columns.engine);
      if (!range) {
        return;
      }
      await columns.take(this.#journal, range, { isRepeated: false });
      moves.end(range);
      await this.#forget();
    }
  }

  /** Deletes moved events from the journal, except those that a query or the counter still needs. */
  async #forget(): Promise<void> {
    const { moves } = this.#journal;
    await moves.forget(
      Math.min(
        moves.boundary(),
        this.reader?.counted() ?? Infinity,
        ...[...this.#open.keys()].map(({ boundary }) => boundary),
      ),
    );
  }
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
