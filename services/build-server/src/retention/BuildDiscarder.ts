import type { Job } from '../jobs/Job.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import { type DiscardPolicy, policyOf } from './DiscardPolicy.ts';
import type { DiscardStore } from './DiscardStore.ts';

const DAY_MS = 86_400_000;

/** Removes old builds with their logs, as far as their jobs want that. */
export class BuildDiscarder {
  readonly #store: DiscardStore;
  readonly #logs: Pick<BuildLogs, 'remove'>;
  readonly #common: DiscardPolicy;
  readonly #now: () => number;

  constructor(options: {
    store: DiscardStore;
    logs: Pick<BuildLogs, 'remove'>;
    /** Of all jobs that say nothing else. */
    common: DiscardPolicy;
    now: () => number;
  }) {
    this.#store = options.store;
    this.#logs = options.logs;
    this.#common = options.common;
    this.#now = options.now;
  }

  /** @returns how many builds of the job it has removed. */
  async discard(job: Job): Promise<number> {
    const { keepBuilds, keepDays } = policyOf(job, this.#common);
    const bounds = {
      keepBuilds,
      endedBefore:
        keepDays === undefined ? undefined : this.#now() - keepDays * DAY_MS,
    };
    for (let removed = 0; ; ) {
      const ids = await this.#store.listDiscardable(job.name, bounds);
      if (ids.length === 0) {
        return removed;
      }
      // The log first: what a crash leaves is still found by its build.
      await Promise.all(ids.map(id => this.#logs.remove(id)));
      await this.#store.remove(ids);
      removed += ids.length;
    }
  }
}
