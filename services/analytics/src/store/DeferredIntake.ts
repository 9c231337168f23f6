import { GroupWriter } from '@slipway/service-kit';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import type { DeferredSize } from './sqlite/DeferredEvents.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';

/**
 * Takes events that wait on disk until the rate limit of their project admits them.
 * Queries do not see them before.
 */
export class DeferredIntake {
  readonly #journal: EventJournal;
  readonly #kept: (
    events: readonly AnalyticsEvent[],
  ) => readonly AnalyticsEvent[];
  readonly #onChange: (projectId: string) => void;
  readonly #writer: GroupWriter<readonly AnalyticsEvent[], void>;

  /**
   * @param options.kept - leaves out events that may not be stored.
   * @param options.onChange - called after events of a project were admitted.
   * @param options.groupSize - maximum events of one commit.
   */
  constructor(options: {
    journal: EventJournal;
    kept: (events: readonly AnalyticsEvent[]) => readonly AnalyticsEvent[];
    onChange: (projectId: string) => void;
    groupSize: number;
  }) {
    this.#journal = options.journal;
    this.#kept = options.kept;
    this.#onChange = options.onChange;
    this.#writer = new GroupWriter<readonly AnalyticsEvent[], void>({
      write: groups => {
        this.#journal.deferred.add(groups);
        return [];
      },
      groupSize: options.groupSize,
      sizeOf: events => events.length,
    });
  }

  /** Resolves once the events of one project are durably queued. */
  async add(events: readonly AnalyticsEvent[]): Promise<void> {
    await this.#writer.add(this.#kept(events));
  }

  /** Returns how much of a project is deferred. */
  sizeOf(projectId: string): DeferredSize {
    return this.#journal.deferred.sizeOf(projectId);
  }

  /** Returns when the oldest deferred event of a project arrived; undefined without any. */
  oldest(projectId: string): number | undefined {
    return this.#journal.deferred.oldest(projectId);
  }

  /** Returns whether an event of an id is deferred. */
  has(projectId: string, distinctId: string): boolean {
    return this.#journal.deferred.has(projectId, distinctId);
  }

  /** Returns the projects with deferred events. */
  projects(): string[] {
    return this.#journal.deferred.projects();
  }

  /**
   * Admits the oldest deferred events of a project.
   * @returns how many were admitted, and how many of them were new.
   */
  admit(projectId: string, count: number): { admitted: number; added: number } {
    const result = this.#journal.deferred.admit(projectId, count);
    this.#onChange(projectId);
    return result;
  }
}
