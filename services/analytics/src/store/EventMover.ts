import type { ServiceKit } from '@slipway/service-kit';
import type { EventsPlan, PlanRows } from '../query/language/Expression.ts';
import type { PeopleSink } from '../people/PeopleCopies.ts';
import type { ColumnDeletes } from './sql/ColumnDeletes.ts';
import type { Requester } from './process/QueryQueue.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';
import type { JournalRange } from './sqlite/eventRows.ts';

/** A journal's file, and the id of its rows in other stores. */
interface JournalFile {
  readonly id: string;
  readonly filename: string;
}

/**
 * What a query reads: events up to a position of the journal from the columns, later
 * ones from the journal.
 */
export interface StoreView {
  readonly journal: JournalFile;
  /** The last position read from the columns. */
  readonly boundary: number;
  /** The last position to read; equal to the boundary if nothing is pending. */
  readonly upTo: number;
  /** False if the columns hold nothing beyond the boundary, and will not before the query ends. */
  readonly mayBeMoved: boolean;
}

/** The positions from which a view is created. */
interface Places {
  boundary(): number;
  last(): number;
  /** Checks whether events beyond the boundary may already be in the columns. */
  isUnfinished(): boolean;
}

/**
 * Tracks the open views of queries while events move: nothing is deleted from the
 * journal that a view still reads, and no move begins while a view relies on there being
 * none.
 */
export class StoreViews {
  readonly #journal: JournalFile;
  readonly #places: Places;
  readonly #open = new Set<StoreView>();
  readonly #onClosed = new Set<() => void>();
  #needed: () => number = () => Infinity;
  #isMoving = false;

  constructor(options: { journal: JournalFile; places: Places }) {
    this.#journal = options.journal;
    this.#places = options.places;
  }

  /**
   * Keeps events in the journal that something else still has to read.
   * @param done - returns the last position that it no longer needs.
   */
  keepFor(done: () => number): void {
    this.#needed = done;
  }

  /** Runs a query with a view that stays open until the query ends. */
  async look<T>(ask: (view: StoreView) => Promise<T>): Promise<T> {
    const boundary = this.#places.boundary();
    const view: StoreView = {
      journal: this.#journal,
      boundary,
      upTo: Math.max(boundary, this.#places.last()),
      mayBeMoved: this.#isMoving || this.#places.isUnfinished(),
    };
    this.#open.add(view);
    try {
      return await ask(view);
    } finally {
      this.#open.delete(view);
      this.#onClosed.forEach(tell => tell());
    }
  }

  /** Runs a move once every open view allows it; one at a time. */
  async whileMoving(move: () => Promise<void>): Promise<void> {
    this.#isMoving = true;
    try {
      while ([...this.#open].some(({ mayBeMoved }) => !mayBeMoved)) {
        await this.#nextClosed();
      }
      await move();
    } finally {
      this.#isMoving = false;
    }
  }

  /** Returns the last position that no view reads from the journal any more. */
  doneUpTo(): number {
    return Math.min(
      this.#places.boundary(),
      this.#needed(),
      ...[...this.#open].map(({ boundary }) => boundary),
    );
  }

  #nextClosed(): Promise<void> {
    return new Promise(resolve => {
      const tell = () => {
        this.#onClosed.delete(tell);
        resolve();
      };
      this.#onClosed.add(tell);
    });
  }
}

/** The data that a query of a project reads in addition to events. */
export interface PlanContext {
  readonly views: StoreViews;
  /** The project's group types, by their numbers. */
  readonly groupTypes: readonly string[];
  /**
   * Resolves once the engine has the persons and groups that the query reads.
   * @returns whether persons of the project have several ids, if the query reads persons
   *   or groups.
   */
  readonly knowPeople: () => Promise<{ hasSharedIds?: boolean }>;
}

/**
 * An engine for queries over many events: chDB on this machine, or a ClickHouse cluster.
 * Events are written to the journal first, so the engine may be unavailable for a while.
 */
export interface ColumnStore extends PeopleSink {
  readonly engine: 'chdb' | 'clickhouse';
  /** True if queries also read pending events of the journal; otherwise those are moved first. */
  readonly readsJournal: boolean;
  readonly deletes: ColumnDeletes;
  /** Starts the engine if it is not running; rejects if it cannot start. */
  start(): Promise<void>;
  /**
   * Reads events from the journal, and resolves once they are on disk.
   * @param options.isRepeated - the store may already have some of them, which are
   *   skipped.
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

/** The size of one step, to limit its memory. */
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

  /** Runs work while nothing is moved. */
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
      // Do not record a move before it is certain that the engine runs.
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

/** A column store, and what moves events to it. */
export interface Columns {
  readonly columns: ColumnStore;
  readonly mover: EventMover;
}

const LOOK_MS = 1_000;
/** Maximum delay between attempts to start an engine that does not run. */
const LONGEST_MS = 60_000;

/**
 * Checks regularly whether many events are pending, and moves them.
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
