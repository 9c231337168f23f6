import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { NoticeChannel } from '../model/Notice.ts';

const TABLE = 'notice_channels';

/** PostgreSQL returns bigints as text, SQLite booleans as numbers. */
interface Row {
  id: number;
  revision: number;
  name: string;
  kind: NoticeChannel['kind'];
  url: string;
  secret: string | null;
  projects: string;
  environments: string;
  events: string;
  enabled: boolean | number;
  created_by: string;
  created_at: number | string;
  updated_at: number | string;
}

/** Stores the channels that get notices. */
export class NoticeChannelStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Lists channels by name.
   *
   * @param trx - transaction to read in: SQLite has a single connection.
   */
  async list(trx?: Knex.Transaction): Promise<NoticeChannel[]> {
    const rows = await (trx ?? this.#database.knex)<Row>(TABLE).orderBy('name');
    return rows.map(toChannel);
  }

  async find(id: number): Promise<NoticeChannel | undefined> {
    const row = await this.#database.knex<Row>(TABLE).where({ id }).first();
    return row && toChannel(row);
  }

  /** Adds a channel. @returns undefined if its name is taken. */
  insert(
    channel: Omit<NoticeChannel, 'id' | 'revision'>,
  ): Promise<NoticeChannel | undefined> {
    return this.#database.transaction(async trx => {
      const [row] = await trx<Row>(TABLE)
        .insert(toRow(channel))
        .onConflict('name')
        .ignore()
        .returning('*');
      return row && toChannel(row);
    });
  }

  /**
   * Replaces a channel and increments its revision.
   *
   * @param channel - the new settings, with the revision that was read.
   * @returns `taken` if another channel has the name, `changed` if this one has been changed or deleted
   *   since it was read.
   */
  update(channel: NoticeChannel): Promise<'stored' | 'taken' | 'changed'> {
    const { id, name, revision } = channel;
    return this.#database.transaction(async trx => {
      const other = await trx<Row>(TABLE)
        .where({ name })
        .whereNot({ id })
        .first('id');
      if (other) {
        return 'taken';
      }
      const stored = await trx<Row>(TABLE)
        .where({ id, revision })
        .update({ ...toRow(channel), revision: revision + 1 });
      return stored === 1 ? 'stored' : 'changed';
    });
  }

  /** Deletes a channel. @returns false if there was none. */
  async remove(id: number): Promise<boolean> {
    const removed = await this.#database.transaction(trx =>
      trx(TABLE).where({ id }).delete(),
    );
    return removed > 0;
  }
}

function toRow(channel: Omit<NoticeChannel, 'id' | 'revision'>) {
  const { name, kind, url, secret, enabled } = channel;
  return {
    name,
    kind,
    url,
    secret,
    projects: JSON.stringify(channel.projects),
    environments: JSON.stringify(channel.environments),
    events: JSON.stringify(channel.events),
    enabled,
    created_by: channel.createdBy,
    created_at: channel.createdAt,
    updated_at: channel.updatedAt,
  };
}

function toChannel(row: Row): NoticeChannel {
  return {
    id: row.id,
    revision: row.revision,
    name: row.name,
    kind: row.kind,
    url: row.url,
    secret: row.secret,
    projects: JSON.parse(row.projects),
    environments: JSON.parse(row.environments),
    events: JSON.parse(row.events),
    enabled: Boolean(row.enabled),
    createdBy: row.created_by,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}
