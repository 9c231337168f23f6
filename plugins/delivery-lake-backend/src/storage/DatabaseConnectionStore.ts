import { ConflictError, NotFoundError } from '@backstage/errors';
import type { Sender } from '@slipway/platform-guards';
import type { Knex } from 'knex';
import { storable } from '../events/LakeEvent';
import { type BigInteger, nullableNumber } from './BatchSql';

/**
 * A repository, or an account of a tracker, whose webhook was set up in the portal. Times are in
 * milliseconds.
 */
export interface Connection {
  /** `connection-…`, part of the webhook's address. */
  id: string;
  forge: Sender;
  /** `owner/name`, or the host of an account or site. */
  repository: string;
  /** true until an admin has entered the secret that the sender created. */
  needsSecret?: boolean;
  /** An entity reference. */
  createdBy: string;
  createdAt: number;
  /** The last delivery with a valid signature. */
  lastDelivery: ReceivedDelivery | null;
  /** Time at which a delivery was last rejected because of its signature. */
  lastRefusedAt: number | null;
}

/** The outcome of a delivery. */
export interface ReceivedDelivery {
  at: number;
  /** The forge's name of the event, e.g. `push`. */
  event: string;
  /** Number of events that the lake accepted. */
  accepted: number;
  /** Reason why the lake ignored the delivery; null if it did not. */
  ignored: string | null;
}

interface ConnectionRow {
  id: string;
  forge: string;
  repository: string;
  /** The name in lower case. */
  repository_key: string;
  /** Empty if the sender creates the secret. */
  secret: string;
  sender_secret: string | null;
  created_by: string;
  created_at: BigInteger;
  last_delivery_at: BigInteger | null;
  last_event: string | null;
  last_accepted: number | null;
  last_ignored: string | null;
  last_refused_at: BigInteger | null;
}

function toConnection(row: ConnectionRow): Connection {
  return {
    id: row.id,
    forge: row.forge as Sender,
    repository: row.repository,
    ...(secretOf(row) === '' && { needsSecret: true }),
    createdBy: row.created_by,
    createdAt: Number(row.created_at),
    lastDelivery:
      row.last_delivery_at === null
        ? null
        : {
            at: Number(row.last_delivery_at),
            event: row.last_event ?? '',
            accepted: row.last_accepted ?? 0,
            ignored: row.last_ignored,
          },
    lastRefusedAt: nullableNumber(row.last_refused_at),
  };
}

function secretOf(row: ConnectionRow): string {
  return row.sender_secret ?? row.secret;
}

/** The form of an id; URLs may contain any text. */
const ID = /^[\w-]+$/;

/** Returns the same text for all spellings of a name that forges treat as equal. */
function keyOf(repository: string): string {
  return storable(repository).toLocaleLowerCase('en-US');
}

/** Stores connections, and the last deliveries of configured forges, in the plugin's database. */
export class DatabaseConnectionStore {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** Lists all connections by repository. */
  async list(): Promise<Connection[]> {
    const rows = await this.#rows().orderBy(['repository_key', 'forge']);
    return rows.map(toConnection);
  }

  /** Returns a connection. @throws NotFoundError */
  async get(id: string): Promise<Connection> {
    return toConnection(await this.#get(id));
  }

  /**
   * Returns a connection with its secret, for checking a signature. Without a secret, it is empty.
   */
  async findWithSecret(
    id: string,
  ): Promise<(Connection & { secret: string }) | undefined> {
    const row = await this.#find(id);
    return row && { ...toConnection(row), secret: secretOf(row) };
  }

  /** Returns the name of a repository as it was connected; undefined if it was not. */
  async findRepository(
    forge: Sender,
    repository: string,
  ): Promise<string | undefined> {
    const row = await this.#rows()
      .where({ forge, repository_key: keyOf(repository) })
      .first('repository');
    return row?.repository;
  }

  /**
   * Adds a connection.
   *
   * @param connection.secret - undefined if the sender creates it.
   * @throws ConflictError if the repository is already connected.
   */
  async add(
    connection: Pick<
      Connection,
      'id' | 'forge' | 'repository' | 'createdBy' | 'createdAt'
    > & { secret: string | undefined },
  ): Promise<Connection> {
    const { id, forge, repository, secret } = connection;
    const key = keyOf(repository);
    await this.#knex('connections')
      .insert({
        id,
        forge,
        repository,
        repository_key: key,
        secret: secret ?? '',
        created_by: connection.createdBy,
        created_at: connection.createdAt,
      })
      .onConflict(['forge', 'repository_key'])
      .ignore();
    const row = await this.#rows()
      .where({ forge, repository_key: key })
      .first();
    if (row?.id !== id) {
      throw new ConflictError(`${repository} is already connected`);
    }
    return toConnection(row);
  }

  /** Replaces the secret; the old one is invalid immediately. @throws NotFoundError */
  async replaceSecret(id: string, secret: string): Promise<Connection> {
    return this.#update(id, { secret, last_refused_at: null });
  }

  /** Stores the secret that the sender created. @throws NotFoundError */
  async enterSecret(id: string, secret: string): Promise<Connection> {
    return this.#update(id, { sender_secret: secret, last_refused_at: null });
  }

  /** Removes a connection. @throws NotFoundError */
  async remove(id: string): Promise<void> {
    await this.#get(id);
    await this.#knex('connections').where({ id }).delete();
  }

  /** Records a delivery with a valid signature. */
  async received(id: string, delivery: ReceivedDelivery): Promise<void> {
    await this.#knex('connections').where({ id }).update({
      last_delivery_at: delivery.at,
      last_event: delivery.event,
      last_accepted: delivery.accepted,
      last_ignored: delivery.ignored,
    });
  }

  /** Records that a delivery was rejected because of its signature. */
  async refused(id: string, at: number): Promise<void> {
    await this.#knex('connections')
      .where({ id })
      .update({ last_refused_at: at });
  }

  /** Records a delivery that was signed with a secret from the configuration. */
  async receivedFrom(forge: Sender, at: number): Promise<void> {
    await this.#knex('forge_deliveries')
      .insert({ forge, last_delivery_at: at })
      .onConflict('forge')
      .merge();
  }

  /**
   * Returns when each configured sender last delivered: null if never. Senders whose deliveries all
   * arrived before this was recorded are missing.
   */
  async lastDeliveries(
    forges: readonly Sender[],
  ): Promise<ReadonlyMap<Sender, number | null>> {
    const recorded: { forge: Sender; last_delivery_at: BigInteger }[] =
      await this.#knex('forge_deliveries').select();
    // One index lookup for each, because there may be millions of deliveries.
    const earlier = await Promise.all(
      forges.map(forge =>
        this.#knex('lake_deliveries').where({ channel: forge }).first('id'),
      ),
    );
    return new Map([
      ...forges
        .filter((_, index) => earlier[index] === undefined)
        .map(forge => [forge, null] as const),
      ...recorded.map(
        row => [row.forge, Number(row.last_delivery_at)] as const,
      ),
    ]);
  }

  /** Updates a row. @throws NotFoundError */
  async #update(
    id: string,
    values: Partial<ConnectionRow>,
  ): Promise<Connection> {
    await this.#get(id);
    await this.#knex('connections').where({ id }).update(values);
    return this.get(id);
  }

  async #find(id: string): Promise<ConnectionRow | undefined> {
    // Checked first, because PostgreSQL rejects some texts.
    return ID.test(id) ? this.#rows().where({ id }).first() : undefined;
  }

  /** Returns a row. @throws NotFoundError */
  async #get(id: string): Promise<ConnectionRow> {
    const row = await this.#find(id);
    if (!row) {
      throw new NotFoundError(`Connection ${id} not found`);
    }
    return row;
  }

  #rows() {
    return this.#knex<ConnectionRow>('connections');
  }
}
