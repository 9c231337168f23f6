import { randomUUID } from 'node:crypto';
import { NotFoundError } from '@slipway/service-kit';
import type { CohortStore } from '../cohorts/storage/CohortStore.ts';
import {
  call,
  COUNT,
  type Expression,
  valueOf,
} from '../query/language/Expression.ts';
import type { EventStore } from '../store/EventStore.ts';
import type { ErasedIds } from './ErasedIds.ts';
import type { Erasure, ErasureStore } from './storage/ErasureStore.ts';
import type { Person, PersonStore } from './storage/PersonStore.ts';

/** The store of events. */
interface PeopleEvents extends Pick<EventStore, 'applyPeople' | 'query'> {
  readonly deferred: Pick<EventStore['deferred'], 'has'>;
  readonly deletes: Pick<EventStore['deletes'], 'ids'>;
}

interface PeopleOptions {
  persons: Pick<PersonStore, 'find' | 'list' | 'remove'>;
  cohorts: Pick<CohortStore, 'lists'>;
  erasures: Pick<ErasureStore, 'add' | 'finish' | 'list' | 'pending'>;
  erased: Pick<ErasedIds, 'read'>;
  events: PeopleEvents;
  /**
   * Milliseconds until other replicas know of an erasure, and no longer add events of the
   * person to a shared store.
   */
  waitMs: number;
  now: () => number;
}

/** Lists the persons of projects, and erases them with their events. */
export class People {
  readonly #options: PeopleOptions;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  async list(
    projectId: string,
    page: { search?: string; limit: number; offset: number },
  ): Promise<Person[]> {
    const { persons, events } = this.#options;
    await events.applyPeople();
    return persons.list(projectId, page);
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
   * Requests the erasure of a person, or of an id without a person that has events or is in
   * a list of people. From then on, no events of these ids are stored.
   * @throws NotFoundError
   */
  async erase(
    projectId: string,
    { distinctId, by }: { distinctId: string; by: string },
  ): Promise<Erasure> {
    const { cohorts, erasures, erased, now } = this.#options;
    const person = await this.#find(projectId, distinctId);
    const isKnown =
      person !== undefined ||
      (await cohorts.lists(projectId, distinctId)) ||
      (await this.#hasEvents(projectId, distinctId));
    if (!isKnown) {
      throw new NotFoundError('Person not found');
    }
    const erasure = {
      id: randomUUID(),
      projectId,
      ids: person?.distinctIds ?? [distinctId],
      requestedAt: now(),
      requestedBy: by,
    };
    await erasures.add(erasure);
    await erased.read();
    const { ids: _ids, ...shown } = erasure;
    return shown;
  }

  erasures(projectId: string): Promise<Erasure[]> {
    return this.#options.erasures.list(projectId);
  }

  /**
   * Carries out requested erasures, and restarts any that a crash interrupted.
   * @throws AggregateError if some failed, once the others are done; failed ones are
   *   retried the next time.
   */
  async carryOut(signal: AbortSignal): Promise<void> {
    const { persons, erasures, events, waitMs, now } = this.#options;
    const ordered = await erasures.pending();
    const due = ordered.filter(
      ({ requestedAt }) => requestedAt <= now() - waitMs,
    );
    const failures: unknown[] = [];
    for (const { id, projectId, ids } of due) {
      try {
        // Apply the changes from pending events now: they must not recreate the person later.
        await events.applyPeople();
        await persons.remove(projectId, ids);
        await events.deletes.ids(projectId, ids, signal);
        signal.throwIfAborted();
        await erasures.finish(id, now());
      } catch (error) {
        signal.throwIfAborted();
        failures.push(error);
      }
    }
    if (failures.length > 0) {
      const [first] = failures;
      const reason = first instanceof Error ? first.message : String(first);
      throw new AggregateError(
        failures,
        `${failures.length} of ${due.length} erasures failed: ${reason}`,
      );
    }
  }

  /**
   * Checks for events of an id without a person: deferred ones, and those that SDKs send
   * without a person profile.
   */
  async #hasEvents(projectId: string, distinctId: string): Promise<boolean> {
    const { events } = this.#options;
    if (events.deferred.has(projectId, distinctId)) {
      return true;
    }
    const id: Expression = { kind: 'column', name: 'distinct_id' };
    const { rows } = await events.query(
      {
        projectId,
        select: {
          kind: 'select',
          from: { kind: 'events', projectId },
          columns: [COUNT],
          where: [call('equals', [id, valueOf(distinctId)], 'boolean')],
          groupBy: [],
        },
      },
      { lane: 'erasures' },
    );
    return Number(rows[0]?.[0]) > 0;
  }

  async #find(
    projectId: string,
    distinctId: string,
  ): Promise<Person | undefined> {
    const { persons, events } = this.#options;
    await events.applyPeople();
    return persons.find(projectId, distinctId);
  }
}
