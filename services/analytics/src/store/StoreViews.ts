/** A journal's file, and the id that marks its rows in other stores. */
interface JournalFile {
  readonly id: string;
  readonly filename: string;
}

/**
 * The events that a query reads: up to a position of the journal from the columns, and
 * later ones from the journal.
 */
export interface StoreView {
  readonly journal: JournalFile;
  /** The last position read from the columns. */
  readonly boundary: number;
  /** The last position to read; equal to the boundary if nothing is pending. */
  readonly upTo: number;
  /** False if the columns contain no events beyond the boundary, and will not until the query ends. */
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
 * Tracks the open views of queries while events move: events that a view still reads are
 * not deleted from the journal, and no move begins while a view relies on the absence of
 * moves.
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
   * Keeps in the journal the events that another reader still needs.
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
