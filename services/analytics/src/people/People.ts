import { randomUUID } from 'node:crypto';
import { NotFoundError } from '@slipway/service-kit';
import type { EventStore } from '../store/EventStore.ts';
import type { ErasedIds } from './ErasedIds.ts';
import type { Erasure, ErasureStore } from './storage/ErasureStore.ts';
import type { Person, PersonStore } from './storage/PersonStore.ts';

/** The store of events. */
type PeopleEvents = Pick<EventStore, 'applyPeople' | 'deferred' | 'deletes'>;

/** Shows the persons of projects, and erases them with their events. */
export class People {
  readonly #persons: PersonStore;
  readonly #erasures: ErasureStore;
  readonly #erased: ErasedIds;
  readonly #events: PeopleEvents;
  readonly #waitMs: number;
  readonly #now: () => number;

  /**
   * @param options.waitMs - time until other services know of an erasure and no longer
   *   add events of the person to a shared store.
   */
  constructor(options: {
    persons: PersonStore;
    erasures: ErasureStore;
    erased: ErasedIds;
    events: PeopleEvents;
    waitMs: number;
    now: () => number;
  }) {
    this.#persons = options.persons;
    this.#erasures = options.erasures;
    this.#erased = options.erased;
    this.#events = options.events;
    this.#waitMs = options.waitMs;
    this.#now = options.now;
  }

  async list(
    projectId: string,
    page: { search?: string; limit: number; offset: number },
  ): Promise<Person[]> {
    await this.#events.applyPeople();
    return this.#persons.list(projectId, page);
  }

  /** @throws NotFoundError */
  async get(projectId: string, distinctId: string): Promise<Person> {
    const person = await this.#find(projectId, distinctId);
    if (!person) {
      throw new NotFoundError('Person not found');
    }
    return person;
  }

  /**
   * Requests the erasure of a person, who may be known only from deferred events. From then on, no
   * events of its ids are stored.
   * @throws NotFoundError
   */
  async erase(
    projectId: string,
    { distinctId, by }: { distinctId: string; by: string },
  ): Promise<Erasure> {
    const person = await this.#find(projectId, distinctId);
    if (!person && !this.#events.deferred.has(projectId, distinctId)) {
      throw new NotFoundError('Person not found');
    }
    const erasure = {
      id: randomUUID(),
      projectId,
      ids: person?.distinctIds ?? [distinctId],
      requestedAt: this.#now(),
      requestedBy: by,
    };
    await this.#erasures.add(erasure);
    await this.#erased.read();
    const { ids: _ids, ...shown } = erasure;
    return shown;
  }

  erasures(projectId: string): Promise<Erasure[]> {
    return this.#erasures.list(projectId);
  }

  /** Carries out requested erasures; starts again any that a crash interrupted. */
  async carryOut(signal: AbortSignal): Promise<void> {
    const ordered = await this.#erasures.pending();
    const due = ordered.filter(
      ({ requestedAt }) => requestedAt <= this.#now() - this.#waitMs,
    );
    for (const { id, projectId, ids } of due) {
      // Changes that pending events make to the person must not be applied later.
      await this.#events.applyPeople();
      await this.#persons.remove(projectId, ids);
      await this.#events.deletes.ids(projectId, ids, signal);
      signal.throwIfAborted();
      await this.#erasures.finish(id, this.#now());
    }
  }

  async #find(
    projectId: string,
    distinctId: string,
  ): Promise<Person | undefined> {
    await this.#events.applyPeople();
    return this.#persons.find(projectId, distinctId);
  }
}
