import { createHash, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { Client } from 'pg';

/** The content of a database after its migrations. */
interface Migrated {
  /** Digest of its tables, indexes, constraints, triggers and functions. */
  schema: string;
  /** Statements that restore its rows and sequences. */
  rewind: string;
}

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

const SCHEMA = `
  WITH relations AS (
    SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
  ), lines AS (
    SELECT concat_ws(' ', relname, oid) AS line FROM relations
    UNION ALL
    SELECT concat_ws(' ', attrelid, attnum, attname, atttypid, atttypmod, attnotnull)
    FROM pg_attribute WHERE attrelid IN (SELECT oid FROM relations) AND attnum > 0
    UNION ALL
    SELECT concat_ws(' ', adrelid, adnum, pg_get_expr(adbin, adrelid))
    FROM pg_attrdef WHERE adrelid IN (SELECT oid FROM relations)
    UNION ALL
    SELECT concat_ws(' ', 'constraint', oid, conname)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL
    SELECT concat_ws(' ', 'trigger', oid, tgname, tgenabled)
    FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM relations)
    UNION ALL
    SELECT concat_ws(' ', 'function', oid, md5(prosrc))
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  )
  SELECT md5(string_agg(line, chr(10) ORDER BY line)) AS schema FROM lines`;

async function readSchema(client: Client): Promise<string> {
  const { rows } = await client.query(SCHEMA);
  return rows[0].schema;
}

/**
 * Tables larger than this are truncated rather than emptied with DELETE, whose dead rows would slow
 * down later tests.
 */
const TRUNCATE_BYTES = 256 * 1024;

/** Records the migrated state, and copies the rows that migrations have inserted. */
async function recordMigrated(client: Client): Promise<Migrated> {
  const tables = await names(
    client,
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const restored: string[] = [];
  await client.query('CREATE SCHEMA IF NOT EXISTS migrated');
  for (const table of tables) {
    const { rows } = await client.query(
      `SELECT EXISTS (SELECT 1 FROM public.${table}) AS filled`,
    );
    if (rows[0].filled) {
      await client.query(`DROP TABLE IF EXISTS migrated.${table};
        CREATE TABLE migrated.${table} AS TABLE public.${table}`);
      restored.push(
        `INSERT INTO public.${table} OVERRIDING SYSTEM VALUE TABLE migrated.${table}`,
      );
    }
  }
  const sequences = await names(
    client,
    `SELECT format('SELECT setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
       coalesce(last_value, start_value), last_value IS NOT NULL) AS name
     FROM pg_sequences WHERE schemaname = 'public'`,
  );
  return {
    schema: await readSchema(client),
    rewind: [
      'BEGIN',
      // Disables foreign keys and triggers.
      'SET LOCAL session_replication_role = replica',
      // Skips tables of zero bytes, which have no rows.
      `DO $$ DECLARE large text; name text; BEGIN
         SELECT string_agg(format('public.%I', relname), ', ') INTO large FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
           AND pg_relation_size(oid) > ${TRUNCATE_BYTES};
         IF large IS NOT NULL THEN EXECUTE 'TRUNCATE ' || large || ' CASCADE'; END IF;
         FOR name IN SELECT format('public.%I', relname) FROM pg_class
           WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
             AND (relkind = 'p' OR pg_relation_size(oid) > 0)
         LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
       END $$`,
      ...restored,
      ...sequences,
      'COMMIT',
    ].join(';\n'),
  };
}

async function names(client: Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(query);
  return rows.map(({ name }) => name);
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
