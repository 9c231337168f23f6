import {
  type EventsPlan,
  type Expression,
  GROUP_OWNERS,
  partsOf,
  type PropertyOwner,
  type Select,
} from '../query/language/Expression.ts';
import { expressionsOf, selectsOf } from '../query/language/selects.ts';
import type { PeopleQueue, QueuedChange } from '../store/sqlite/PeopleQueue.ts';
import type { PeopleTables } from '../store/sqlite/PeopleTables.ts';
import type { ErasedIds } from './ErasedIds.ts';
import { isImpossible } from './storage/applyChanges.ts';
import type { PeopleRows, PersonStore } from './storage/PersonStore.ts';

const APPLIED_AT_ONCE = 1_000;

interface PeopleCopiesOptions {
  journal: { id: string; people: PeopleQueue; tables: PeopleTables };
  store: Pick<
    PersonStore,
    | 'apply'
    | 'changedAfter'
    | 'groupTypes'
    | 'hasSharedIds'
    | 'removeGroup'
    | 'version'
  >;
  /** Ids for which nothing is stored. */
  erased?: Pick<ErasedIds, 'without'>;
  /** Called with the reason if a change is dropped because no database can store it. */
  onDropped: (error: unknown) => void;
}

/** A copy of persons, stored next to the events that queries read. */
export interface PeopleSink {
  putPeople(rows: PeopleRows): Promise<void>;
}

/**
 * Applies the changes that events make to persons, then copies the persons to the engines
 * that run queries, one step at a time.
 */
export class PeopleCopies {
  readonly #options: PeopleCopiesOptions;
  readonly #journal: PeopleCopiesOptions['journal'];
  readonly #store: PeopleCopiesOptions['store'];
  #work: Promise<void> = Promise.resolve();

  constructor(options: PeopleCopiesOptions) {
    this.#options = options;
    this.#journal = options.journal;
    this.#store = options.store;
  }

  /** Returns a project's group types, by their numbers. */
  groupTypes(projectId: string): Promise<readonly string[]> {
    return this.#store.groupTypes(projectId);
  }

  /** Resolves once everything recorded before the call is applied. */
  apply(): Promise<void> {
    return this.#after(() => this.#applyAll());
  }

  /**
   * Resolves once an engine has every change recorded before the call.
   * @returns whether any person of the project has several ids.
   */
  copyTo(
    { engine, projectId }: { engine: string; projectId: string },
    sink: PeopleSink,
  ): Promise<{ hasSharedIds: boolean }> {
    return this.#after(async () => {
      await this.#applyAll();
      const { tables } = this.#journal;
      const upTo = await this.#store.version();
      const copied = tables.copied(engine);
      if (copied < upTo) {
        for await (const rows of this.#store.changedAfter(copied, upTo)) {
          await sink.putPeople(rows);
        }
        tables.setCopied(engine, upTo);
      }
      return { hasSharedIds: await this.#store.hasSharedIds(projectId, upTo) };
    });
  }

  /**
   * Prepares the persons and groups for a query.
   * @param columns - the engine that runs it; undefined if the journal does.
   * @returns the group types of its project, and a function that copies persons to the
   *   engine if the query reads them.
   */
  async prepare(
    { projectId, select }: EventsPlan,
    columns?: PeopleSink & { engine: string },
  ): Promise<{
    groupTypes: readonly string[];
    copyPeople: () => Promise<{ hasSharedIds?: boolean }>;
  }> {
    const owners = ownersOf(select);
    if (owners.some(owner => owner !== 'event' && owner !== 'person')) {
      // A pending event may be the first with its group type.
      await this.apply();
    }
    const { engine, sink } = columns
      ? { engine: columns.engine, sink: columns }
      : { engine: 'sqlite', sink: this.#journal.tables };
    return {
      groupTypes: await this.groupTypes(projectId),
      copyPeople: async () =>
        owners.some(owner => owner !== 'event')
          ? this.copyTo({ engine, projectId }, sink)
          : {},
    };
  }

  /**
   * Deletes a group while no changes are applied or copied.
   * @param fromCopies - deletes it from the copies; if that fails, the group remains.
   */
  removeGroup(
    projectId: string,
    group: { type: string; key: string },
    fromCopies: () => Promise<void>,
  ): Promise<void> {
    return this.#after(async () => {
      await fromCopies();
      await this.#store.removeGroup(projectId, group);
    });
  }

  #after<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    this.#work = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  async #applyAll(): Promise<void> {
    for (;;) {
      const changes = this.#journal.people.oldest(APPLIED_AT_ONCE);
      if (changes.length === 0) {
        return;
      }
      await this.#applyEach(changes);
    }
  }

  /**
   * Applies changes. Splits them to find a change that can never be applied, and drops it,
   * as it would block all later ones.
   */
  async #applyEach(changes: readonly QueuedChange[]): Promise<void> {
    const { id, people } = this.#journal;
    const { seq } = changes[changes.length - 1];
    try {
      await this.#store.apply({ journal: id, seq }, this.#kept(changes));
    } catch (error) {
      if (!isImpossible(error)) {
        throw error;
      }
      if (changes.length > 1) {
        const middle = Math.floor(changes.length / 2);
        await this.#applyEach(changes.slice(0, middle));
        await this.#applyEach(changes.slice(middle));
        return;
      }
      this.#options.onDropped(error);
    }
    people.forget(seq);
  }

  /**
   * Returns changes without those of erased people, who may have been erased on another
   * replica after these were recorded.
   */
  #kept(changes: readonly QueuedChange[]): readonly QueuedChange[] {
    const { erased } = this.#options;
    if (!erased) {
      return changes;
    }
    const isKept = (projectId: string, distinctId: string) =>
      erased.without([{ projectId, distinctId }]).length > 0;
    return erased.without(changes).map(event => ({
      ...event,
      changes: event.changes.filter(
        change =>
          change.kind !== 'merge' || isKept(event.projectId, change.from),
      ),
    }));
  }
}

/** Returns the owners of the columns and properties that a SELECT reads. */
function ownersOf(select: Select): PropertyOwner[] {
  return selectsOf(select).flatMap(expressionsOf).flatMap(ownersIn);
}

const PEOPLE = ['person', ...GROUP_OWNERS] as const;

function ownersIn(expression: Expression): PropertyOwner[] {
  switch (expression.kind) {
    case 'column':
      return [PEOPLE.find(each => each === expression.name) ?? 'event'];
    case 'property':
      return [expression.owner ?? 'event'];
    default:
      return partsOf(expression).flatMap(ownersIn);
  }
}
