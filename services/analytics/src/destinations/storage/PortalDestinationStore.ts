import type { Database } from '@slipway/service-kit';
import type { DestinationKey, DestinationSummary } from '../Destination.ts';
import { beginAt, forget, interrupt } from './DestinationStore.ts';

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

/** Keeps the destinations that were created in the portal in the service's database. */
export class PortalDestinationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists destinations by id: of a project, or of all. */
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
      // A former destination with this id may have left its progress.
      await forget(trx, record);
      await beginAt(trx, record, now);
      return 'added';
    });
  }

  /**
   * Pauses or resumes a destination; a delivery in progress is the last one.
   * @returns false if there is none with this id.
   */
  async pause(key: DestinationKey, pausedAt: number | null): Promise<boolean> {
    return this.#database.transaction(async trx => {
      const changed = await trx('portal_destinations')
        .where({ project_id: key.projectId, id: key.id })
        .update({ paused_at: pausedAt });
      await interrupt(trx, key);
      return changed > 0;
    });
  }

  /** @returns false if there is none with this id. */
  async remove(key: DestinationKey): Promise<boolean> {
    return this.#database.transaction(async trx => {
      const removed = await trx('portal_destinations')
        .where({ project_id: key.projectId, id: key.id })
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
