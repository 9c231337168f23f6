import type { Database } from '@slipway/service-kit';

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

  async add(item: SavedItem): Promise<void> {
    await this.#database.transaction(trx =>
      trx('saved_items').insert({
        ...toKey(item),
        name: item.name,
        content: JSON.stringify(item.content),
        version: item.version,
        created_at: item.createdAt,
        created_by: item.createdBy,
        updated_at: item.updatedAt,
      }),
    );
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

  /** Deletes an item. @returns false if none with that version exists. */
  async remove(item: SavedItem): Promise<boolean> {
    const removed = await this.#database.transaction(trx =>
      trx('saved_items')
        .where({ ...toKey(item), version: item.version })
        .delete(),
    );
    return removed > 0;
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
