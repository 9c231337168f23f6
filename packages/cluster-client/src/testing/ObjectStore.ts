import { randomUUID } from 'node:crypto';

/** An object as stored by the fake API server. */
export interface StoredObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    resourceVersion: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: { uid: string }[];
    deletionTimestamp?: string;
    [key: string]: unknown;
  };
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  [key: string]: unknown;
}

/** A change, as reported to watches. */
export interface StoredEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  plural: string;
  version: number;
  object: StoredObject;
}

/** The state of the fake API server: objects, and the history that watches replay. */
export class ObjectStore {
  readonly #objects = new Map<string, StoredObject>();
  readonly #listeners = new Set<(event: StoredEvent) => void>();
  history: StoredEvent[] = [];
  version = 100;
  /** Watches that start before this position are rejected with 410. */
  oldest = 0;

  get(plural: string, namespace: string, name: string) {
    return this.#objects.get(`${plural}/${namespace}/${name}`);
  }

  list(plural: string): StoredObject[] {
    return [...this.#objects]
      .filter(([key]) => key.startsWith(`${plural}/`))
      .map(([, object]) => object);
  }

  add(
    plural: string,
    object: Omit<StoredObject, 'metadata'> & {
      metadata: Partial<StoredObject['metadata']>;
    },
  ): StoredObject {
    return this.#put('ADDED', plural, {
      ...object,
      metadata: {
        creationTimestamp: new Date().toISOString(),
        ...object.metadata,
        uid: randomUUID(),
      },
    } as StoredObject);
  }

  change(plural: string, object: StoredObject): StoredObject {
    return this.#put('MODIFIED', plural, object);
  }

  /** Deletes an object and its dependents. */
  remove(plural: string, { metadata }: StoredObject): void {
    const key = `${plural}/${metadata.namespace ?? ''}/${metadata.name}`;
    const object = this.#objects.get(key);
    if (!object) {
      return;
    }
    this.#objects.delete(key);
    this.#record('DELETED', plural, object);
    for (const [otherKey, other] of this.#objects) {
      const owned = other.metadata.ownerReferences?.some(
        ({ uid }) => uid === metadata.uid,
      );
      if (owned) {
        this.remove(otherKey.split('/')[0], other);
      }
    }
  }

  /** Drops the history, like a compaction of etcd. */
  compact(): void {
    this.history = [];
    this.oldest = this.version;
  }

  onEvent(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #put(
    type: 'ADDED' | 'MODIFIED',
    plural: string,
    object: StoredObject,
  ): StoredObject {
    const stored = this.#record(type, plural, object);
    const { namespace = '', name } = stored.metadata;
    this.#objects.set(`${plural}/${namespace}/${name}`, stored);
    return stored;
  }

  #record(
    type: StoredEvent['type'],
    plural: string,
    object: StoredObject,
  ): StoredObject {
    this.version += 1;
    const stored = structuredClone({
      ...object,
      metadata: { ...object.metadata, resourceVersion: `${this.version}` },
    });
    const event = { type, plural, version: this.version, object: stored };
    this.history.push(event);
    queueMicrotask(() => this.#listeners.forEach(tell => tell(event)));
    return stored;
  }
}
