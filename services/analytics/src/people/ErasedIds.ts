import type { ErasedOfProject, ErasureStore } from './storage/ErasureStore.ts';

/** Keeps the ids of erased people in memory, to check every event against them. */
export class ErasedIds {
  readonly #store: Pick<ErasureStore, 'erasedIds' | 'digestOf'>;
  #projects: ReadonlyMap<string, ErasedOfProject> = new Map();
  #reads = 0;
  #lastRead = 0;

  constructor(store: Pick<ErasureStore, 'erasedIds' | 'digestOf'>) {
    this.#store = store;
  }

  /** Rereads the ids, since other replicas add some. */
  async read(): Promise<void> {
    this.#reads += 1;
    const read = this.#reads;
    const projects = await this.#store.erasedIds();
    // Ignore this read if one that began later has already ended: it read more.
    if (read > this.#lastRead) {
      this.#lastRead = read;
      this.#projects = projects;
    }
  }

  /** Returns when an erasure was last requested in a project; undefined if none was. */
  lastAt(projectId: string): number | undefined {
    return this.#projects.get(projectId)?.lastAt;
  }

  /** Returns events without those of erased ids. */
  without<E extends { projectId: string; distinctId: string }>(
    events: readonly E[],
  ): readonly E[] {
    return this.#projects.size === 0
      ? events
      : events.filter(event => !this.#has(event));
  }

  /** Returns rows without those of erased ids. */
  rows<R extends { project_id: string; distinct_id: string }>(
    rows: readonly R[],
  ): readonly R[] {
    return this.#projects.size === 0
      ? rows
      : rows.filter(
          ({ project_id: projectId, distinct_id: distinctId }) =>
            !this.#has({ projectId, distinctId }),
        );
  }

  #has(event: { projectId: string; distinctId: string }): boolean {
    const { projectId, distinctId } = event;
    const digests = this.#projects.get(projectId)?.digests;
    return (
      digests !== undefined &&
      digests.has(this.#store.digestOf(projectId, distinctId))
    );
  }
}
