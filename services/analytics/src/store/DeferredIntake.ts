import { GroupWriter } from '@slipway/service-kit';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import type { DeferredSize } from './sqlite/DeferredEvents.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';

interface DeferredIntakeOptions {
  journal: EventJournal;
  /** Returns the events that may be stored. */
  kept: (events: readonly AnalyticsEvent[]) => readonly AnalyticsEvent[];
  /** Called after events of a project were admitted. */
  onChange: (projectId: string) => void;
  /** Maximum events of one commit. */
  groupSize: number;
}

/**
 * Queues events on disk until their project's rate limit admits them. Queries do not see
 * queued events.
 */
export class DeferredIntake {
  readonly #options: DeferredIntakeOptions;
  readonly #writer: GroupWriter<readonly AnalyticsEvent[], void>;

  constructor(options: DeferredIntakeOptions) {
    this.#options = options;
    this.#writer = new GroupWriter<readonly AnalyticsEvent[], void>({
      write: groups => {
        this.#waiting.add(groups);
        return [];
      },
      groupSize: options.groupSize,
      sizeOf: events => events.length,
    });
  }

  /** Resolves once the events of one project are durably queued. */
  async add(events: readonly AnalyticsEvent[]): Promise<void> {
    await this.#writer.add(this.#options.kept(events));
  }

  /** Returns the amount of a project's deferred events. */
  sizeOf(projectId: string): DeferredSize {
    return this.#waiting.sizeOf(projectId);
  }

  /** Returns when a project's oldest deferred event arrived; undefined if it has none. */
  oldest(projectId: string): number | undefined {
    return this.#waiting.oldest(projectId);
  }

  /** Checks whether an id has deferred events. */
  has(projectId: string, distinctId: string): boolean {
    return this.#waiting.has(projectId, distinctId);
  }

  /** Returns the ids of the projects with deferred events. */
  projects(): string[] {
    return this.#waiting.projects();
  }

  /**
   * Admits the oldest deferred events of a project.
   * @returns how many were admitted, and how many of them were new.
   */
  admit(projectId: string, count: number): { admitted: number; added: number } {
    const result = this.#waiting.admit(projectId, count, this.#options.kept);
    this.#options.onChange(projectId);
    return result;
  }

  /** The deferred events in the journal. */
  get #waiting() {
    return this.#options.journal.deferred;
  }
}
