import { InvalidRequestError } from '@slipway/service-kit';
import type { ErasedIds } from '../people/ErasedIds.ts';
import { isPersonId } from '../people/PersonChange.ts';
import type { EventStore } from '../store/EventStore.ts';
import type { Cohort } from './Cohort.ts';
import { MOST_PEOPLE } from './schemas.ts';
import type { CohortStore } from './storage/CohortStore.ts';

/** Maximum total characters of the ids in a fixed list. */
const LONGEST_LIST = 500_000;

/** The ids of a new fixed list, and the field of the request that they come from. */
export interface ListedIds {
  readonly field: string;
  readonly ids: readonly string[];
}

/** Ids of people to add to a fixed list, and any ids of people to remove from it. */
export interface ListChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Determines which ids fixed lists of people may contain. */
export class FixedLists {
  readonly #store: Pick<CohortStore, 'ids' | 'idsOfPeople'>;
  readonly #erased: Pick<ErasedIds, 'without'>;
  readonly #events: Pick<EventStore, 'applyPeople'>;

  constructor(options: {
    store: Pick<CohortStore, 'ids' | 'idsOfPeople'>;
    erased: Pick<ErasedIds, 'without'>;
    events: Pick<EventStore, 'applyPeople'>;
  }) {
    this.#store = options.store;
    this.#erased = options.erased;
    this.#events = options.events;
  }

  /**
   * Returns the ids of a list without duplicates, ids of erased people, and ids that events
   * may have but databases cannot index.
   * @throws InvalidRequestError if no id is left, or the list is too long.
   */
  kept(projectId: string, { field, ids }: ListedIds): string[] {
    const kept = this.notErased(
      projectId,
      [...new Set(ids)].filter(isPersonId),
    );
    if (kept.length === 0) {
      throw new InvalidRequestError('A fixed list needs at least one person', {
        field,
        constraint: 'minItems',
      });
    }
    const isLong = kept.join('').length > LONGEST_LIST;
    if (kept.length > MOST_PEOPLE || isLong) {
      throw new InvalidRequestError(
        isLong
          ? `The ids of a fixed list have at most ${LONGEST_LIST} characters together`
          : `A fixed list has at most ${MOST_PEOPLE} people`,
        { field, constraint: 'maxItems' },
      );
    }
    return kept;
  }

  /**
   * Returns the ids that a change adds to a fixed list and removes from it. A person who is
   * both added and removed stays in the list.
   * @throws InvalidRequestError if the cohort has conditions, everyone to add is erased, or
   *   the list gets too long.
   */
  async change(
    cohort: Cohort,
    { added, removed }: ListChange,
  ): Promise<ListChange> {
    const field = added.length > 0 ? 'add_distinct_ids' : 'remove_distinct_ids';
    if (cohort.filters) {
      throw new InvalidRequestError('Only a fixed list has ids', {
        field,
        constraint: 'unsupported',
      });
    }
    if (removed.length > 0) {
      // Apply pending merges, so that people can also be removed by ids that they just gained.
      await this.#events.applyPeople();
    }
    const leaving = new Set(await this.#store.idsOfPeople(cohort, removed));
    if (added.length === 0) {
      return { added, removed: [...leaving] };
    }
    if (this.notErased(cohort.projectId, added).length === 0) {
      throw new InvalidRequestError(
        'Nobody can be added: all of these people were deleted',
        { field, constraint: 'minItems' },
      );
    }
    const listed = await this.#store.ids(cohort);
    const staying = new Set(listed.filter(id => !leaving.has(id)));
    const kept = this.kept(cohort.projectId, {
      field,
      ids: [...staying, ...added],
    });
    return {
      added: kept.filter(id => !staying.has(id)),
      removed: [...leaving],
    };
  }

  /** Drops ids of erased people: if added after their erasure, they would stay in the list. */
  notErased(projectId: string, ids: readonly string[]): string[] {
    return this.#erased
      .without(ids.map(distinctId => ({ projectId, distinctId })))
      .map(({ distinctId }) => distinctId);
  }
}
