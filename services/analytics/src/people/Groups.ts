import { NotFoundError } from '@slipway/service-kit';
import type { EventStore } from '../store/EventStore.ts';
import type { Group, GroupStore, GroupType } from './storage/GroupStore.ts';

/** The store of events. */
type GroupEvents = Pick<EventStore, 'applyPeople' | 'deletes'>;

/** Identifies a group within a project. */
export interface GroupName {
  readonly type: string;
  readonly key: string;
}

/** Maximum duration of a deletion in milliseconds: it rewrites files of the column store. */
const DELETE_TIMEOUT_MS = 20_000;

/** Lists the groups of projects, such as companies, and deletes them. */
export class Groups {
  readonly #store: GroupStore;
  readonly #events: GroupEvents;

  constructor(options: { store: GroupStore; events: GroupEvents }) {
    this.#store = options.store;
    this.#events = options.events;
  }

  async types(projectId: string): Promise<GroupType[]> {
    await this.#events.applyPeople();
    return this.#store.types(projectId);
  }

  async list(
    projectId: string,
    page: { type: string; search?: string; limit: number; offset: number },
  ): Promise<Group[]> {
    await this.#events.applyPeople();
    return this.#store.list(projectId, page);
  }

  /** @throws NotFoundError */
  async get(projectId: string, group: GroupName): Promise<Group> {
    await this.#events.applyPeople();
    const found = await this.#store.find(projectId, group);
    if (!found) {
      throw new NotFoundError('Group not found');
    }
    return found;
  }

  /** Returns the number that a group's type has in queries. */
  async indexOf(projectId: string, { type }: GroupName): Promise<number> {
    const types = await this.#store.types(projectId);
    return types.findIndex(({ name }) => name === type);
  }

  /**
   * Deletes a group with its properties. Its events keep its key, and the next one
   * creates the group again, without properties.
   * @throws NotFoundError
   */
  async remove(projectId: string, group: GroupName): Promise<void> {
    await this.get(projectId, group);
    const signal = AbortSignal.timeout(DELETE_TIMEOUT_MS);
    await this.#events.deletes.group(projectId, group, signal);
  }
}
