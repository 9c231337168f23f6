import type { ErasureStore } from './storage/ErasureStore.ts';

/** Keeps the ids of erased people in memory, to check every event against them. */
export class ErasedIds {
  readonly #store: ErasureStore;
  #digests = new Map<string, Set<string>>();

  constructor(store: ErasureStore) {
    this.#store = store;
  }

  /** Reads the ids again, since other replicas add some. */
  async read(): Promise<void> {
    this.#digests = await this.#store.digests();
  }

  /** Removes events of erased ids. */
  without<E extends { projectId: string; distinctId: string }>(
    events: readonly E[],
  ): readonly E[] {
    return this.#digests.size === 0
      ? events
      : events.filter(event => !this.#has(event));
  }

  /** Removes rows of erased ids. */
  rows<R extends { project_id: string; distinct_id: string }>(
    rows: readonly R[],
  ): readonly R[] {
    return this.#digests.size === 0
      ? rows
      : rows.filter(
          ({ project_id: projectId, distinct_id: distinctId }) =>
            !this.#has({ projectId, distinctId }),
        );
  }

  #has(event: { projectId: string; distinctId: string }): boolean {
    const { projectId, distinctId } = event;
    const digests = this.#digests.get(projectId);
    return (
      digests !== undefined &&
      digests.has(this.#store.digestOf(projectId, distinctId))
    );
  }
}
