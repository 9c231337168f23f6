import { createHash, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { Client } from 'pg';
import { type Migrated, readSchema, recordMigrated } from './migrated.ts';

interface Pooled extends Migrated {
  address: string;
  connections: LastingConnections;
}

type Connect = (address: string) => Knex | Promise<Knex>;

/** Identifies the test run, whose processes share migrated databases. */
const RUN = process.env.SLIPWAY_TEST_RUN ?? randomBytes(8).toString('hex');

/**
 * Connections to one database that stay open between tests. A new connection would read the catalog
 * of all tables again, which takes longer than the statements of most tests.
 */
class LastingConnections {
  readonly #connect: () => Knex | Promise<Knex>;
  /** The knex instance that owns the connection pool; each test has its own instance on this pool. */
  #owner: Knex | Promise<Knex>;

  constructor(connect: () => Knex | Promise<Knex>) {
    this.#connect = connect;
    this.#owner = connect();
  }

  /** Creates a knex instance for one test; destroying it does not close the connections. */
  async forTest(): Promise<Knex> {
    const knex = await this.#connect();
    const { client } = knex;
    // Does the same as the option `connectionPool`, but knex can still open separate connections.
    client.pool = undefined;
    client.initializeExternalPool((await this.#owner).client.pool);
    return knex;
  }

  /**
   * Runs `work` on a pooled connection, and returns its result.
   *
   * @param work - retried once on a new connection if it fails, e.g. because a test closed the
   *   previous one.
   */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await this.#run(work);
    } catch {
      await this.#replace();
      return this.#run(work);
    }
  }

  /** Terminates connections that a test has not released, or has opened outside of the pool. */
  async endOthers(): Promise<void> {
    const { pool } = (await this.#owner).client;
    if (pool.numUsed() + pool.numPendingAcquires() > 0) {
      await this.#replace();
    }
    await this.use(async client => {
      const { free } = (await this.#owner).client.pool;
      const kept = free.map(
        (each: { resource: Client & { processID: number } }) =>
          each.resource.processID,
      );
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND (state <> 'idle' OR pid <> ALL ($1))`,
        [kept],
      );
    });
  }

  async close(): Promise<void> {
    await (await this.#owner).destroy();
  }

  async #run<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { client } = await this.#owner;
    const connection = await client.acquireConnection();
    try {
      return await work(connection);
    } finally {
      await client.releaseConnection(connection);
    }
  }

  /** Switches to a new pool; {@link endOthers} terminates the connections of the previous one. */
  async #replace(): Promise<void> {
    this.#owner = await this.#connect();
  }
}

/** A database in use by one test. */
export interface TakenDatabase {
  /** The connection string. */
  address: string;
  knex: Knex;
  /** Terminates running statements, and makes the database available to later tests. */
  release(): Promise<void>;
}

/**
 * A pool of PostgreSQL databases that the tests of one process use in turn. One process of a test run
 * applies the migrations, and all processes copy the result. When a test releases a database, only
 * its rows and sequences are restored, which takes a hundredth of the time of migrating. If the test
 * has changed the schema, all tables are dropped, and the database is migrated again for the next
 * test.
 *
 * The databases are deleted with the server. Restoring rows requires a superuser.
 */
export class TestDatabasePool {
  readonly #server: string;
  readonly #connect: Connect;
  readonly #idle = new Map<string, Pooled[]>();
  readonly #empty: string[] = [];

  /**
   * @param server - the connection string of a database from which others can be created.
   * @param connect - opens a database, given its connection string.
   */
  constructor(server: string, connect: Connect) {
    this.#server = server;
    this.#connect = connect;
  }

  /**
   * Returns a database that no other test uses.
   *
   * @param options.key - identifies the migrations; `''` for none.
   * @param options.migrate - migrates an empty database, given its connection string.
   */
  async take(options: {
    key: string;
    migrate?: (address: string) => Promise<void>;
  }): Promise<TakenDatabase> {
    const { key, migrate } = options;
    const pooled =
      this.#idle.get(key)?.pop() ?? (await this.#create(key, migrate));
    const { address, connections } = pooled;
    const knex = await connections.forTest();
    return {
      address,
      knex,
      release: async () => {
        await knex.destroy();
        await this.#release(key, pooled);
      },
    };
  }

  async #create(
    key: string,
    migrate?: (address: string) => Promise<void>,
  ): Promise<Pooled> {
    const emptied = this.#empty.pop();
    if (emptied !== undefined) {
      await migrate?.(emptied);
    }
    const address = emptied ?? (await this.#copyMigrated(key, migrate));
    const connections = new LastingConnections(() => this.#connect(address));
    return { address, connections, ...(await connections.use(recordMigrated)) };
  }

  /**
   * Creates a copy of the migrated database, and returns its connection string. The first process of
   * the run that gets here migrates the original.
   */
  async #copyMigrated(
    key: string,
    migrate?: (address: string) => Promise<void>,
  ): Promise<string> {
    const hash = createHash('sha256').update(JSON.stringify([RUN, key]));
    const template = `migrated${hash.digest('hex').slice(0, 32)}`;
    const name = newName();
    await withClient(this.#server, async client => {
      if (!migrate) {
        await client.query(`CREATE DATABASE ${name}`);
        return;
      }
      // Other processes wait here. The lock is released when the connection closes.
      await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
      const { rowCount } = await client.query(
        'SELECT FROM pg_database WHERE datname = $1',
        [template],
      );
      if (rowCount === 0) {
        const made = newName();
        await client.query(`CREATE DATABASE ${made}`);
        await migrate(this.#addressOf(made));
        await client.query(`ALTER DATABASE ${made} RENAME TO ${template}`);
      }
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    });
    return this.#addressOf(name);
  }

  #addressOf(name: string): string {
    const address = new URL(this.#server);
    address.pathname = `/${name}`;
    return address.href;
  }

  async #release(key: string, pooled: Pooled): Promise<void> {
    const { address, connections } = pooled;
    await connections.endOthers();
    const isRestored = await connections.use(async client => {
      if ((await readSchema(client)) === pooled.schema) {
        await client.query(pooled.rewind);
        return true;
      }
      await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      return false;
    });
    if (isRestored) {
      const idle = this.#idle.get(key) ?? [];
      this.#idle.set(key, [...idle, pooled]);
    } else {
      await connections.close();
      this.#empty.push(address);
    }
  }
}

function newName(): string {
  return `test${randomBytes(8).toString('hex')}`;
}

async function withClient<T>(
  address: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
