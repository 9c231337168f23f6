import type BetterSqlite3 from 'better-sqlite3';
import knexFactory, { type Knex } from 'knex';
import { onTestFinished, TestRunner } from 'vitest';
import { TestDatabasePool } from './TestDatabasePool.ts';

const POSTGRES = 'BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING';

/** The ids of databases, as in Backstage's `TestDatabases`. */
export type PluginDatabaseId = 'SQLITE_3' | 'POSTGRES_18';

let pool: TestDatabasePool | undefined;

/** Serialised SQLite databases after their migrations, by the directory of the migrations. */
const images = new Map<string, Promise<Buffer>>();

/**
 * Creates databases for the tests of a plugin, like Backstage's `TestDatabases`, but with the
 * plugin's tables already in place: its migrations run once instead of once per test.
 */
export class PluginDatabases {
  readonly #ids: PluginDatabaseId[];
  readonly #migrations: string;
  readonly #closing: (() => Promise<void>)[] = [];

  /**
   * Creates the databases.
   *
   * @param options.migrations - absolute path of the directory with the plugin's migrations.
   */
  static create(options: {
    ids: PluginDatabaseId[];
    migrations: string;
  }): PluginDatabases {
    return new PluginDatabases(options);
  }

  private constructor(options: {
    ids: PluginDatabaseId[];
    migrations: string;
  }) {
    this.#ids = options.ids;
    this.#migrations = options.migrations;
    afterAll(async () => {
      await Promise.all(this.#closing.splice(0).map(close => close()));
    });
  }

  /** Returns the arguments of `describe.each` or `it.each`. */
  eachSupportedId(): [PluginDatabaseId][] {
    return this.#ids.map(id => [id]);
  }

  /**
   * Opens a database that only the running test uses and that is closed after it. If it is opened
   * in `beforeAll`, all tests of the suite share it.
   */
  async init(id: PluginDatabaseId): Promise<Knex> {
    const { knex, close } =
      id === 'SQLITE_3'
        ? await openSqlite(this.#migrations)
        : await openPostgres(this.#migrations);
    if (TestRunner.getCurrentTest()) {
      onTestFinished(close);
    } else {
      this.#closing.push(close);
    }
    return knex;
  }
}

interface Opened {
  knex: Knex;
  close(): Promise<void>;
}

async function openSqlite(migrations: string): Promise<Opened> {
  const image = images.get(migrations) ?? createImage(migrations);
  images.set(migrations, image);
  const knex = sqlite(await image);
  return { knex, close: () => knex.destroy() };
}

async function createImage(migrations: string): Promise<Buffer> {
  const knex = sqlite(':memory:');
  await knex.migrate.latest({ directory: migrations });
  const connection: BetterSqlite3.Database =
    await knex.client.acquireConnection();
  const image = connection.serialize();
  await knex.client.releaseConnection(connection);
  await knex.destroy();
  return image;
}

function sqlite(source: string | Buffer): Knex {
  return knexFactory({
    client: 'better-sqlite3',
    // The driver accepts both; knex's type only declares file names.
    connection: { filename: source as string },
    useNullAsDefault: true,
  });
}

async function openPostgres(migrations: string): Promise<Opened> {
  pool ??= new TestDatabasePool(process.env[POSTGRES]!, postgres);
  const { knex, release } = await pool.take({
    key: migrations,
    async migrate(empty) {
      const migrating = postgres(empty);
      await migrating.migrate.latest({ directory: migrations });
      await migrating.destroy();
    },
  });
  return { knex, close: release };
}

function postgres(address: string): Knex {
  const { hostname, port, username, password, pathname } = new URL(address);
  return knexFactory({
    client: 'pg',
    connection: {
      host: hostname,
      port: Number(port),
      user: username,
      password,
      database: pathname.slice(1),
    },
    pool: { min: 0, max: 5, acquireTimeoutMillis: 30_000 },
  });
}
