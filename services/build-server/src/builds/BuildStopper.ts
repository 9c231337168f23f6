import type { Build } from './Build.ts';
import type { BuildStore } from './BuildStore.ts';

/** Ends builds. The wish is written down first: it outlives whoever takes it. */
export class BuildStopper {
  readonly #store: BuildStore;
  readonly #now: () => number;
  readonly #onRequested: (id: number, by: string) => void;

  constructor(options: {
    store: BuildStore;
    now: () => number;
    /** Told at once; other processes read it from the store. */
    onRequested(id: number, by: string): void;
  }) {
    this.#store = options.store;
    this.#now = options.now;
    this.#onRequested = options.onRequested;
  }

  /** Cancels what waits and stops what runs; one that has ended stays as it is. */
  async stop(id: number, by: string): Promise<Build | undefined> {
    const build = await this.#store.requestStop(id, { by, now: this.#now() });
    if (build?.state === 'running') {
      this.#onRequested(id, build.stopRequestedBy ?? by);
    }
    return build;
  }
}
