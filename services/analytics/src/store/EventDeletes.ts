import { UnavailableError } from '@slipway/service-kit';
import type { PeopleCopies } from '../people/PeopleCopies.ts';
import type { ColumnStore, EventMover } from './EventMover.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';

/** The engine that stores columns, and what moves events to it. */
interface Columns {
  readonly columns: ColumnStore;
  readonly mover: EventMover;
}

/**
 * Deletes events from the journal and from the column store. Each method rejects with an
 * UnavailableError if events are in a column store that cannot be used.
 */
export class EventDeletes {
  readonly #journal: EventJournal;
  readonly #people: PeopleCopies | undefined;
  readonly #columns: () => Columns | undefined;
  readonly #countArrivals: () => Promise<void>;
  readonly #onChange: (projectId?: string) => void;

  /**
   * @param options.columns - returns undefined while queries only read the journal.
   * @param options.countArrivals - lets the reader of arrivals count what has arrived.
   * @param options.onChange - called after a deletion, with the project if it is of one.
   */
  constructor(options: {
    journal: EventJournal;
    people: PeopleCopies | undefined;
    columns: () => Columns | undefined;
    countArrivals: () => Promise<void>;
    onChange: (projectId?: string) => void;
  }) {
    this.#journal = options.journal;
    this.#people = options.people;
    this.#columns = options.columns;
    this.#countArrivals = options.countArrivals;
    this.#onChange = options.onChange;
  }

  /**
   * Deletes events that happened before a time, of one project or of all.
   * @param signal - stops the deletion; the rest is deleted next time.
   */
  async before(
    before: number,
    signal: AbortSignal,
    projectId?: string,
  ): Promise<void> {
    const to = this.#reachable();
    if (to) {
      // Uncounted events would stay in the journal.
      await this.#countArrivals();
      await to.mover.move();
      await to.columns.deletes.before(before, signal, projectId);
    } else {
      await this.#journal.deleteBefore(before, signal, projectId);
    }
    this.#journal.cleanLog();
    this.#onChange();
  }

  /**
   * Deletes the events of a project.
   * @param signal - stops the deletion; another call deletes the rest.
   */
  async project(projectId: string, signal: AbortSignal): Promise<void> {
    const to = this.#reachable();
    if (to) {
      await to.mover.move();
      await to.columns.deletes.project(projectId, signal);
    }
    this.#journal.deleteProject(projectId);
    this.#onChange(projectId);
  }

  /** Deletes every event of some ids of a project, and everything else stored about them. */
  async ids(
    projectId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const to = this.#reachable();
    if (to) {
      // Deferred events that are admitted now would be moved after the deletion.
      this.#journal.deferred.erase(projectId, ids);
      // Finish moves in progress, so that they do not restore events afterwards.
      await to.mover.move();
      await to.columns.deletes.ids(projectId, ids, signal);
    }
    signal.throwIfAborted();
    this.#journal.erase(projectId, ids);
    this.#onChange(projectId);
  }

  /** Deletes the properties of a group. An event of the group creates it again. */
  async group(
    projectId: string,
    group: { type: string; key: string },
    signal: AbortSignal,
  ): Promise<void> {
    await this.#people?.removeGroup(projectId, group, async () => {
      await this.#reachable()?.columns.deletes.group(projectId, group, signal);
      signal.throwIfAborted();
      this.#journal.tables.removeGroup(projectId, group);
      this.#journal.people.forgetGroups();
    });
    this.#onChange(projectId);
  }

  /** Returns the column store; undefined if the journal has all events. */
  #reachable(): Columns | undefined {
    const to = this.#columns();
    if (!to && this.#journal.moves.everBegun()) {
      throw outOfReach();
    }
    return to;
  }
}

/** Creates the error for events that the journal no longer has. */
export function outOfReach(): UnavailableError {
  return new UnavailableError(
    'The events are in a column store that is not available',
  );
}
