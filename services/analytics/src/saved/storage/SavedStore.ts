import type { Database, Transaction } from '@slipway/service-kit';

/** A collection of saved items. */
export type SavedKind = 'insight' | 'dashboard';

/** A saved insight or dashboard. Times are milliseconds since the Unix epoch. */
export interface SavedItem {
  readonly projectId: string;
  readonly id: string;
  readonly kind: SavedKind;
  readonly name: string;
  /** The content as it was sent. */
  readonly content: object;
  /** A different number after each change. */
  readonly version: number;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
}

interface Row {
  project_id: string;
  id: string;
  kind: SavedKind;
  name: string;
  content: string;
  version: number;
  created_at: number | string;
  created_by: string;
  updated_at: number | string;
}

/** Keeps insights and dashboards in the service's database. */
export class SavedStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists a project's items of one kind, by name. */
  async list(projectId: string, kind: SavedKind): Promise<SavedItem[]> {
    const rows: Row[] = await this.#database
      .knex('saved_items')
      .where({ project_id: projectId, kind })
      .orderBy(['name', 'id']);
    return rows.map(toItem);
  }

  async find(
    place: Pick<SavedItem, 'projectId' | 'kind' | 'id'>,
  ): Promise<SavedItem | undefined> {
    const row: Row | undefined = await this.#database
      .knex('saved_items')
      .where(toKey(place))
      .first();
    return row && toItem(row);
  }

  /**
   * Adds an item.
   * @param limit - maximum number of items of this kind in a project.
   * @returns false if the project already has that many.
   */
  async add(item: SavedItem, limit: number): Promise<boolean> {
    return this.#database.transaction(async trx => {
      const { projectId, kind } = item;
      const counted = await trx('saved_items')
        .where({ project_id: projectId, kind })
        .count({ count: '*' })
        .first();
      if (Number(counted?.count) >= limit) {
        return false;
      }
      await trx('saved_items').insert({
        ...toKey(item),
        name: item.name,
        content: JSON.stringify(item.content),
        version: item.version,
        created_at: item.createdAt,
        created_by: item.createdBy,
        updated_at: item.updatedAt,
      });
      return true;
    });
  }

  /**
   * Writes a new state.
   * @param item.version - version of the previous state.
   * @returns false if no item with that version exists.
   */
  async replace(item: SavedItem): Promise<boolean> {
    const changed = await this.#database.transaction(trx =>
      trx('saved_items')
        .where({ ...toKey(item), version: item.version })
        .update({
          name: item.name,
          content: JSON.stringify(item.content),
          version: item.version + 1,
          updated_at: item.updatedAt,
        }),
    );
    return changed > 0;
  }

  /**
   * Deletes an item; an insight is also removed from the tiles of dashboards.
   * @returns false if no item with that version exists.
   */
  async remove(item: SavedItem): Promise<boolean> {
    return this.#database.transaction(async trx => {
      const removed = await trx('saved_items')
        .where({ ...toKey(item), version: item.version })
        .delete();
      if (removed > 0 && item.kind === 'insight') {
        await removeTiles(trx, item);
      }
      return removed > 0;
    });
  }
}

/** Removes an insight from the dashboards of its project. */
async function removeTiles(
  trx: Transaction,
  { projectId, id }: SavedItem,
): Promise<void> {
  const rows: Row[] = await trx('saved_items')
    .where({ project_id: projectId, kind: 'dashboard' })
    .where('content', 'like', `%"${id}"%`)
    .forUpdate();
  for (const row of rows) {
    const dashboard: { tiles: string[] } = JSON.parse(row.content);
    const tiles = dashboard.tiles.filter(tile => tile !== id);
    await trx('saved_items')
      .where({ project_id: projectId, id: row.id })
      .update({
        content: JSON.stringify({ ...dashboard, tiles }),
        version: row.version + 1,
      });
  }
}

function toKey({
  projectId,
  kind,
  id,
}: Pick<SavedItem, 'projectId' | 'kind' | 'id'>) {
  return { project_id: projectId, kind, id };
}

function toItem(row: Row): SavedItem {
  return {
    projectId: row.project_id,
    id: row.id,
    kind: row.kind,
    name: row.name,
    content: JSON.parse(row.content),
    version: row.version,
    createdAt: Number(row.created_at),
    createdBy: row.created_by,
    updatedAt: Number(row.updated_at),
  };
}
