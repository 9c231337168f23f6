import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
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
  connection: LastingConnection;
}

const DISCONNECT_OTHERS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/**
 * A connection that stays open between tests. A new one would read the catalog of all tables again,
 * which takes most of the time of a release. It does not keep the process running.
 */
class LastingConnection {
  readonly #address: string;
  #client: Client | undefined;
  #socket = new Socket();

  constructor(address: string) {
    this.#address = address;
  }

  /**
   * Runs work on the connection.
   *
   * @param work - repeated on a new connection if it fails, e.g. because a test closed the previous
   *   one.
   */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.#socket.ref();
    try {
      if (this.#client) {
        try {
          return await work(this.#client);
        } catch {
          await this.close();
        }
      }
      return await work(await this.#connect());
    } finally {
      this.#socket.unref();
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  async #connect(): Promise<Client> {
    const socket = new Socket();
    this.#socket = socket;
    const client = new Client({
      connectionString: this.#address,
      stream: () => socket,
    });
    // A test may stop the server or close all connections.
    const forget = () => {
      if (this.#client === client) {
        this.#client = undefined;
      }
    };
    client.on('error', forget).on('end', forget);
    await client.connect();
    this.#client = client;
    return client;
  }
}

/** A database in use by one test. */
export interface TakenDatabase {
  /** The connection string. */
  address: string;
  /** Closes its connections and makes it available to later tests. */
  release(): Promise<void>;
}

/**
 * Databases of a PostgreSQL server that the tests of a process use one after another. A database is
 * migrated once. When a test releases it, only its rows and sequences are restored, which takes a
 * hundredth of the time of the migrations. If the test has changed the tables themselves, they are
 * dropped, and the database is migrated again for the next test.
 *
 * The databases are deleted with the server. Restoring rows needs a superuser.
 */
export class TestDatabasePool {
  readonly #server: string;
  readonly #idle = new Map<string, Pooled[]>();
  readonly #empty: string[] = [];

  /** @param server - the connection string of a database from which others can be created. */
  constructor(server: string) {
    this.#server = server;
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
    const pooled = this.#idle.get(key)?.pop() ?? (await this.#create(migrate));
    return {
      address: pooled.address,
      release: () => this.#release(key, pooled),
    };
  }

  async #create(
    migrate: ((address: string) => Promise<void>) | undefined,
  ): Promise<Pooled> {
    const address = this.#empty.pop() ?? (await this.#createEmpty());
    await migrate?.(address);
    const connection = new LastingConnection(address);
    return { address, connection, ...(await connection.use(recordMigrated)) };
  }

  async #createEmpty(): Promise<string> {
    const name = `test${randomBytes(8).toString('hex')}`;
    await withClient(this.#server, client =>
      client.query(`CREATE DATABASE ${name}`),
    );
    const address = new URL(this.#server);
    address.pathname = `/${name}`;
    return address.href;
  }

  async #release(key: string, pooled: Pooled): Promise<void> {
    const isRestored = await pooled.connection.use(async client => {
      await client.query(DISCONNECT_OTHERS);
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
      await pooled.connection.close();
      this.#empty.push(pooled.address);
    }
  }
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
