import type { Database } from '@slipway/service-kit';
import type { DestinationKey, DestinationSummary } from '../Destination.ts';
import {
  beginAt,
  forget,
  interrupt,
  moveProgress,
  whereOf,
} from './progressRows.ts';

/** A destination that was created in the portal; its settings are encrypted. */
export interface DestinationRecord extends DestinationSummary {
  readonly ciphertext: string;
  readonly isPaused: boolean;
}

interface Row {
  project_id: string;
  id: string;
  kind: DestinationSummary['kind'];
  address: string;
  events: string | null;
  ciphertext: string;
  paused_at: number | string | null;
}

/** Stores the destinations created in the portal in the service's database. */
export class PortalDestinationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the destinations of a project, or of all projects, by id. */
  async list(projectId?: string): Promise<DestinationRecord[]> {
    const rows: Row[] = await this.#database
      .knex('portal_destinations')
      .where(projectId === undefined ? {} : { project_id: projectId })
      .orderBy(['project_id', 'id']);
    return rows.map(toRecord);
  }

  /**
   * Adds a destination, which receives the events that arrive from now on.
   * @returns `taken` if there is one with this id, `full` if the project has too many.
   */
  async add(
    record: DestinationRecord,
    options: { now: number; by: string; limit: number },
  ): Promise<'added' | 'taken' | 'full'> {
    const { projectId, id, kind, address, events, ciphertext } = record;
    const { now, by, limit } = options;
    return this.#database.transaction(async trx => {
      const ids: string[] = await trx('portal_destinations')
        .where({ project_id: projectId })
        .pluck('id');
      if (ids.includes(id)) {
        return 'taken';
      }
      if (ids.length >= limit) {
        return 'full';
      }
      const added = await trx('portal_destinations')
        .insert({
          project_id: projectId,
          id,
          kind,
          address,
          events: events ? JSON.stringify(events) : null,
          ciphertext,
          created_at: now,
          created_by: by,
        })
        .onConflict(['project_id', 'id'])
        .ignore()
        .returning('id');
      if (added.length === 0) {
        return 'taken';
      }
      // A deleted destination with this id may have left its progress behind.
      await forget(trx, record);
      await beginAt(trx, record, now);
      return 'added';
    });
  }

  async find(key: DestinationKey): Promise<DestinationRecord | undefined> {
    const row: Row | undefined = await this.#database
      .knex('portal_destinations')
      .where(whereOf(key))
      .first();
    return row && toRecord(row);
  }

  /**
   * Changes a destination that was read before. A delivery in progress is the last one with
   * the former settings.
   * @returns `taken` if another one has the new id, `stale` if it has changed since it was
   *   read.
   */
  async change(
    current: DestinationRecord,
    next: DestinationRecord,
    now: number,
  ): Promise<'changed' | 'taken' | 'stale'> {
    return this.#database.transaction(async trx => {
      const isRenamed = next.id !== current.id;
      const read = { ...whereOf(current), ciphertext: current.ciphertext };
      if (isRenamed) {
        const row = await trx('portal_destinations')
          .where(read)
          .forUpdate()
          .first();
        if (!row) {
          return 'stale';
        }
        // Another replica may be adding the new id; an insert waits for that.
        const added = await trx('portal_destinations')
          .insert({ ...row, id: next.id })
          .onConflict(['project_id', 'id'])
          .ignore()
          .returning('id');
        if (added.length === 0) {
          return 'taken';
        }
        await trx('portal_destinations').where(whereOf(current)).delete();
      }
      const pausedAt = next.isPaused ? now : null;
      const changed = await trx('portal_destinations')
        .where({ ...read, id: next.id })
        .update({
          address: next.address,
          events: next.events ? JSON.stringify(next.events) : null,
          ciphertext: next.ciphertext,
          ...(next.isPaused !== current.isPaused && { paused_at: pausedAt }),
        });
      if (changed === 0) {
        return 'stale';
      }
      if (isRenamed) {
        await moveProgress(trx, current, next);
      }
      await interrupt(trx, next);
      return 'changed';
    });
  }

  /** Deletes a destination. @returns false if there is none with this id. */
  async remove(key: DestinationKey): Promise<boolean> {
    return this.#database.transaction(async trx => {
      const removed = await trx('portal_destinations')
        .where(whereOf(key))
        .delete();
      if (removed > 0) {
        await forget(trx, key);
      }
      return removed > 0;
    });
  }
}

function toRecord(row: Row): DestinationRecord {
  return {
    projectId: row.project_id,
    id: row.id,
    kind: row.kind,
    address: row.address,
    ...(row.events !== null && { events: JSON.parse(row.events) }),
    ciphertext: row.ciphertext,
    isPaused: row.paused_at !== null,
  };
}
