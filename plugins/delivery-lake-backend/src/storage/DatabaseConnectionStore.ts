import { ConflictError, NotFoundError } from '@backstage/errors';
import type { Forge } from '@slipway/platform-guards';
import type { Knex } from 'knex';
import { storable } from '../events/LakeEvent';
import { type BigInteger, nullableNumber } from './BatchSql';

/** A repository whose webhook was set up in the portal. Times are in milliseconds. */
export interface Connection {
  /** `connection-…`, part of the webhook's address. */
  id: string;
  forge: Forge;
  /** `owner/name`. */
  repository: string;
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
  secret: string;
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
    forge: row.forge as Forge,
    repository: row.repository,
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

  /** @throws NotFoundError */
  async get(id: string): Promise<Connection> {
    return toConnection(await this.#get(id));
  }

  /** Returns a connection with its secret, for checking a signature. */
  async findWithSecret(
    id: string,
  ): Promise<(Connection & { secret: string }) | undefined> {
    const row = await this.#find(id);
    return row && { ...toConnection(row), secret: row.secret };
  }

  /** Returns the name of a repository as it was connected; undefined if it was not. */
  async findRepository(
    forge: Forge,
    repository: string,
  ): Promise<string | undefined> {
    const row = await this.#rows()
      .where({ forge, repository_key: keyOf(repository) })
      .first('repository');
    return row?.repository;
  }

  /** @throws ConflictError if the repository is connected already. */
  async add(
    connection: Pick<
      Connection,
      'id' | 'forge' | 'repository' | 'createdBy' | 'createdAt'
    > & { secret: string },
  ): Promise<Connection> {
    const { id, forge, repository, secret } = connection;
    const key = keyOf(repository);
    await this.#knex('connections')
      .insert({
        id,
        forge,
        repository,
        repository_key: key,
        secret,
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

  /** Replaces the secret; the old one is invalid at once. @throws NotFoundError */
  async replaceSecret(id: string, secret: string): Promise<Connection> {
    await this.#get(id);
    await this.#knex('connections')
      .where({ id })
      .update({ secret, last_refused_at: null });
    return this.get(id);
  }

  /** @throws NotFoundError */
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

  /** Records that a delivery was refused because of its signature. */
  async refused(id: string, at: number): Promise<void> {
    await this.#knex('connections')
      .where({ id })
      .update({ last_refused_at: at });
  }

  /** Records a delivery that a secret of the configuration signed. */
  async receivedFrom(forge: Forge, at: number): Promise<void> {
    await this.#knex('forge_deliveries')
      .insert({ forge, last_delivery_at: at })
      .onConflict('forge')
      .merge();
  }

  /**
   * Returns when each forge of the configuration last delivered: null if never, and nothing for
   * forges whose deliveries were all received before that was recorded.
   */
  async lastDeliveries(
    forges: readonly Forge[],
  ): Promise<ReadonlyMap<Forge, number | null>> {
    const recorded: { forge: Forge; last_delivery_at: BigInteger }[] =
      await this.#knex('forge_deliveries').select();
    // A look-up in the index for each, because there may be millions of deliveries.
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

  async #find(id: string): Promise<ConnectionRow | undefined> {
    // PostgreSQL rejects some texts.
    return ID.test(id) ? this.#rows().where({ id }).first() : undefined;
  }

  /** @throws NotFoundError */
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
