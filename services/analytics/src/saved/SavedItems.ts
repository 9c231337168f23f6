import { v7 as createUuid } from 'uuid';
import {
  actorOf,
  assertMatches,
  type Caller,
  ConflictError,
  ForbiddenError,
  isMemberOf,
  NotFoundError,
} from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import type { SavedItem, SavedKind, SavedStore } from './storage/SavedStore.ts';

/** Maximum insights, and maximum dashboards, per project: lists contain all of them. */
const MOST_ITEMS = 1_000;

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

interface SavedItemsOptions {
  store: SavedStore;
  projects: Pick<Projects, 'open'>;
  /** Groups that may change everything. */
  admins: readonly string[];
  now: () => number;
}

/**
 * Manages saved insights and dashboards. Everyone who may read a project can read and create them;
 * only their authors and admins can change them.
 */
export class SavedItems {
  readonly #options: SavedItemsOptions;

  constructor(options: SavedItemsOptions) {
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

  /** @throws ConflictError if the project has too many. */
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
    if (!(await store.add(item, MOST_ITEMS))) {
      throw new ConflictError(
        `A project may have ${MOST_ITEMS} ${place.kind}s; delete some first`,
      );
    }
    return { ...item, mayChange: true };
  }

  /**
   * @param options.ifMatch - the entity tag that the item must have, as in `If-Match`.
   * @throws PreconditionFailedError
   */
  async change(
    caller: Caller,
    place: SavedPlace,
    options: { content: SavedContent; ifMatch?: string },
  ): Promise<ReadItem> {
    const { store, now } = this.#options;
    const item = await this.#open(caller, place, options.ifMatch);
    const changed = { ...item, ...options.content, updatedAt: now() };
    return (await store.replace(changed))
      ? { ...changed, version: item.version + 1 }
      : // Another edit came in between: retry, so that this one is compared with it.
        this.change(caller, place, options);
  }

  async remove(
    caller: Caller,
    place: SavedPlace,
    options: { ifMatch?: string },
  ): Promise<void> {
    const item = await this.#open(caller, place, options.ifMatch);
    if (!(await this.#options.store.remove(item))) {
      await this.remove(caller, place, options);
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
    assertMatches(ifMatch, {
      tags: [tagOf(item)],
      what: place.kind === 'insight' ? 'The insight' : 'The dashboard',
    });
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
