import { v7 as createUuid } from 'uuid';
import {
  actorOf,
  type Caller,
  ForbiddenError,
  isMemberOf,
  NotFoundError,
  PreconditionFailedError,
} from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import type { SavedItem, SavedKind, SavedStore } from './storage/SavedStore.ts';

/** The part of an item that users write. */
export type SavedContent = Pick<SavedItem, 'name' | 'content'>;

/** Identifies an item. */
export interface SavedPlace {
  readonly projectId: string;
  readonly kind: SavedKind;
  readonly id: string;
}

/** An item, and whether the caller may change it. */
export interface ReadItem extends SavedItem {
  readonly mayChange: boolean;
}

/**
 * Manages saved insights and dashboards. Everyone who may read a project can read and create them;
 * only their authors and admins can change them.
 */
export class SavedItems {
  readonly #options: {
    store: SavedStore;
    projects: Pick<Projects, 'open'>;
    admins: readonly string[];
    now: () => number;
  };

  /** @param options.admins - groups that may change everything. */
  constructor(options: {
    store: SavedStore;
    projects: Pick<Projects, 'open'>;
    admins: readonly string[];
    now: () => number;
  }) {
    this.#options = options;
  }

  async list(
    caller: Caller,
    place: Omit<SavedPlace, 'id'>,
  ): Promise<ReadItem[]> {
    const { store, projects } = this.#options;
    const { id } = await projects.open(caller, place.projectId);
    const items = await store.list(id, place.kind);
    return Promise.all(items.map(item => this.#read(caller, item)));
  }

  /** @throws NotFoundError */
  async get(caller: Caller, place: SavedPlace): Promise<ReadItem> {
    const { store, projects } = this.#options;
    const project = await projects.open(caller, place.projectId);
    const item = await store.find({ ...place, projectId: project.id });
    if (!item) {
      throw new NotFoundError(
        place.kind === 'insight' ? 'Insight not found' : 'Dashboard not found',
      );
    }
    return this.#read(caller, item);
  }

  async create(
    caller: Caller,
    place: Omit<SavedPlace, 'id'>,
    content: SavedContent,
  ): Promise<ReadItem> {
    const { store, projects, now } = this.#options;
    const project = await projects.open(caller, place.projectId);
    const at = now();
    const item: SavedItem = {
      ...content,
      projectId: project.id,
      kind: place.kind,
      id: createUuid(),
      version: 1,
      createdAt: at,
      createdBy: actorOf(caller),
      updatedAt: at,
    };
    await store.add(item);
    return { ...item, mayChange: true };
  }

  /**
   * @param options.ifMatch - ETag of the state that the change is based on.
   * @throws PreconditionFailedError if the item has changed since.
   */
  async change(
    caller: Caller,
    place: SavedPlace,
    options: { content: SavedContent; ifMatch?: string },
  ): Promise<ReadItem> {
    const { store, now } = this.#options;
    const item = await this.#open(caller, place, options.ifMatch);
    const changed = { ...item, ...options.content, updatedAt: now() };
    if (!(await store.replace(changed))) {
      throw changedMeanwhile();
    }
    return { ...changed, version: item.version + 1 };
  }

  async remove(
    caller: Caller,
    place: SavedPlace,
    options: { ifMatch?: string },
  ): Promise<void> {
    const item = await this.#open(caller, place, options.ifMatch);
    if (!(await this.#options.store.remove(item))) {
      throw changedMeanwhile();
    }
  }

  async #open(
    caller: Caller,
    place: SavedPlace,
    ifMatch: string | undefined,
  ): Promise<ReadItem> {
    const item = await this.get(caller, place);
    if (!item.mayChange) {
      throw new ForbiddenError('Only its author and admins may change it');
    }
    if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== tagOf(item)) {
      throw changedMeanwhile();
    }
    return item;
  }

  async #read(caller: Caller, item: SavedItem): Promise<ReadItem> {
    const mayChange =
      item.createdBy === actorOf(caller) ||
      (await isMemberOf(caller, this.#options.admins));
    return { ...item, mayChange };
  }
}

/** Returns the ETag of an item. */
export function tagOf({ version }: Pick<SavedItem, 'version'>): string {
  return `"${version}"`;
}

function changedMeanwhile(): PreconditionFailedError {
  return new PreconditionFailedError('It has changed since you opened it');
}
