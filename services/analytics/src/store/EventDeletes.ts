import type { PeopleCopies } from '../people/PeopleCopies.ts';
import type { EventMover } from './EventMover.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';

interface EventDeletesOptions {
  journal: EventJournal;
  people: PeopleCopies | undefined;
  mover: EventMover;
  /** Called after a deletion, with the project if it affected only one. */
  onChange: (projectId?: string) => void;
}

/**
 * Deletes events from the journal and from the column store. Each method rejects with an
 * UnavailableError if events are in a column store that cannot be used.
 */
export class EventDeletes {
  readonly #options: EventDeletesOptions;

  constructor(options: EventDeletesOptions) {
    this.#options = options;
  }

  /**
   * Deletes the events of one project, or of all projects, that happened before a time.
   * @param signal - stops the deletion; the rest is deleted next time.
   */
  async before(
    before: number,
    signal: AbortSignal,
    projectId?: string,
  ): Promise<void> {
    const { journal, mover, onChange } = this.#options;
    const columns = mover.reachable();
    if (columns) {
      // Uncounted events would stay in the journal.
      await mover.reader?.count();
      await mover.move();
      await columns.deletes.before(before, signal, projectId);
    } else {
      await journal.deleteBefore(before, signal, projectId);
    }
    journal.cleanLog();
    onChange();
  }

  /**
   * Deletes the events of a project.
   * @param signal - stops the deletion; another call deletes the rest.
   */
  async project(projectId: string, signal: AbortSignal): Promise<void> {
    const { journal, mover, onChange } = this.#options;
    const columns = mover.reachable();
    if (columns) {
      await mover.move();
      await columns.deletes.project(projectId, signal);
    }
    journal.deleteProject(projectId);
    onChange(projectId);
  }

  /** Deletes all events of some of a project's ids, and everything else stored about these ids. */
  async ids(
    projectId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const { journal, mover, onChange } = this.#options;
    const columns = mover.reachable();
    if (columns) {
      // Deferred events that are admitted now would be moved after the deletion.
      journal.deferred.erase(projectId, ids);
      // Finish moves in progress, so that they do not restore events afterwards.
      await mover.move();
      await columns.deletes.ids(projectId, ids, signal);
    }
    signal.throwIfAborted();
    journal.erase(projectId, ids);
    onChange(projectId);
  }

  /** Deletes the properties of a group. An event of the group creates it again. */
  async group(
    projectId: string,
    group: { type: string; key: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { journal, mover, people, onChange } = this.#options;
    await people?.removeGroup(projectId, group, async () => {
      await mover.reachable()?.deletes.group(projectId, group, signal);
      signal.throwIfAborted();
      journal.tables.removeGroup(projectId, group);
      journal.people.forgetGroups();
    });
    onChange(projectId);
  }
}
