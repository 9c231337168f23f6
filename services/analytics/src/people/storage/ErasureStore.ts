import { createHmac } from 'node:crypto';
import type { Database } from '@slipway/service-kit';

/** A request to delete everything about a person. */
export interface Erasure {
  readonly id: string;
  readonly projectId: string;
  /** Milliseconds since the Unix epoch. */
  readonly requestedAt: number;
  readonly requestedBy: string;
  /** When the last data was deleted; undefined while in progress. */
  readonly doneAt?: number;
}

/** An {@link Erasure} in progress. */
export interface PendingErasure extends Erasure {
  readonly ids: readonly string[];
}

/** The erased ids of a project. */
export interface ErasedOfProject {
  /** Keyed digests of the ids. */
  readonly digests: ReadonlySet<string>;
  /** When the last of them was erased, milliseconds since the Unix epoch. */
  readonly lastAt: number;
}

interface ErasureRow {
  id: string;
  project_id: string;
  ids: string | null;
  requested_at: number | string;
  requested_by: string;
  done_at: number | string | null;
}

/** Keeps erasure requests, and the erased ids as keyed digests that cannot be guessed. */
export class ErasureStore {
  readonly #database: Database;
  readonly #key: string;

  /** @param options.key - a secret of the installation. */
  constructor(options: { database: Database; key: string }) {
    this.#database = options.database;
    this.#key = options.key;
  }

  digestOf(projectId: string, distinctId: string): string {
    return createHmac('sha256', this.#key)
      .update(`${projectId}\n${distinctId}`)
      .digest('hex');
  }

  /** Adds a request, whose ids count as erased from then on. */
  async add(erasure: PendingErasure): Promise<void> {
    const { id, projectId, ids, requestedAt, requestedBy } = erasure;
    await this.#database.transaction(async trx => {
      await trx('erasures').insert({
        id,
        project_id: projectId,
        ids: JSON.stringify(ids),
        requested_at: requestedAt,
        requested_by: requestedBy,
      });
      for (const distinctId of ids) {
        await trx('erased_ids')
          .insert({
            project_id: projectId,
            digest: this.digestOf(projectId, distinctId),
            erased_at: requestedAt,
          })
          .onConflict(['project_id', 'digest'])
          .ignore();
      }
    });
  }

  /** Returns the erased ids of each project that has any. */
  async erasedIds(): Promise<Map<string, ErasedOfProject>> {
    const rows: {
      project_id: string;
      digest: string;
      erased_at: number | string;
    }[] = await this.#database
      .knex('erased_ids')
      .select('project_id', 'digest', 'erased_at');
    const projects = new Map<
      string,
      { digests: Set<string>; lastAt: number }
    >();
    for (const { project_id: projectId, digest, erased_at: at } of rows) {
      const known = projects.get(projectId) ?? {
        digests: new Set(),
        lastAt: 0,
      };
      known.digests.add(digest);
      known.lastAt = Math.max(known.lastAt, Number(at));
      projects.set(projectId, known);
    }
    return projects;
  }

  /** Returns requests that are not done, oldest first. */
  async pending(): Promise<PendingErasure[]> {
    const rows: ErasureRow[] = await this.#database
      .knex('erasures')
      .whereNotNull('ids')
      .orderBy('requested_at');
    return rows.map(row => ({
      ...toErasure(row),
      ids: JSON.parse(row.ids ?? '[]'),
    }));
  }

  /** Deletes the ids of a request, once all other data about them is deleted. */
  async finish(id: string, doneAt: number): Promise<void> {
    await this.#database.transaction(trx =>
      trx('erasures').where({ id }).update({ ids: null, done_at: doneAt }),
    );
    if (this.#database.client === 'sqlite') {
      // Otherwise, deleted data would remain in the file until overwritten.
      await this.#database.knex.raw('VACUUM');
      await this.#database.knex.raw('PRAGMA wal_checkpoint(TRUNCATE)');
    }
  }

  /** Returns the requests of a project, newest first. */
  async list(projectId: string): Promise<Erasure[]> {
    const rows: ErasureRow[] = await this.#database
      .knex('erasures')
      .where({ project_id: projectId })
      .orderBy([{ column: 'requested_at', order: 'desc' }, 'id'])
      .limit(100);
    return rows.map(toErasure);
  }
}

function toErasure(row: ErasureRow): Erasure {
  return {
    id: row.id,
    projectId: row.project_id,
    requestedAt: Number(row.requested_at),
    requestedBy: row.requested_by,
    ...(row.done_at !== null && { doneAt: Number(row.done_at) }),
  };
}
