import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { default as BetterSqlite3 } from 'better-sqlite3';
import knexFactory, { type Knex } from 'knex';
import { type Static, Type } from 'typebox';
import {
  DatabaseUnavailableError,
  isConnectionError,
  retryClashes,
} from './databaseErrors.ts';
import { GroupWriter } from './GroupWriter.ts';

/**
 * Maximum number of transactions per commit: limits what a failing commit affects and how long the
 * first one waits.
 */
const GROUP_SIZE = 128;

/** A transaction of a {@link Database}. */
export type Transaction = Knex.Transaction;

type Work = (trx: Transaction) => Promise<unknown>;
type Outcome = { value: unknown } | { error: unknown };

/** Runs the transactions of one database, many per commit. */
interface SharedCommits {
  /** Resolves once the work is on disk; rejects without changing anything if the work throws. */
  run<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Resolves when no work is waiting. */
  idle(): Promise<void>;
}

/**
 * Creates a single writer for SQLite, which allows only one writer anyway. Transactions that wait
 * during a commit share the next one, each in its own savepoint. Each is as durable and isolated as
 * if it ran alone, but many share one fsync.
 */
function shareCommits(knex: Knex): SharedCommits {
  const writer = new GroupWriter<Work, Outcome>({
    groupSize: GROUP_SIZE,
    write: works => knex.transaction(trx => runAll(trx, works)),
  });
  return {
    async run<T>(work: (trx: Transaction) => Promise<T>) {
      const outcome = await writer.add(work);
      if ('error' in outcome) {
        throw outcome.error;
      }
      return outcome.value as T;
    },
    idle: () => writer.idle(),
  };
}

async function runAll(
  trx: Transaction,
  works: readonly Work[],
): Promise<Outcome[]> {
  // A single transaction needs no savepoint: if the work fails, so does the transaction.
  if (works.length === 1) {
    return [{ value: await works[0](trx) }];
  }
  const outcomes: Outcome[] = [];
  for (const work of works) {
    try {
      outcomes.push({ value: await trx.transaction(work) });
    } catch (error) {
      outcomes.push({ error });
    }
  }
  return outcomes;
}

/** The database of a service: SQLite by default, PostgreSQL if configured. */
export interface Database {
  readonly client: 'sqlite' | 'postgres';
  /** Runs reads; use {@link Database.transaction} for writes. */
  readonly knex: Knex;
  /**
   * Runs a write as one transaction that is durable once this resolves. It is retried a few times
   * if PostgreSQL reports a conflict with another transaction (40001, 40P01), so `work` must only
   * read and write through `trx`.
   *
   * @throws DatabaseUnavailableError if the database cannot be reached.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Checks whether the database responds within `timeoutMs` (default 1,000). */
  isAlive(timeoutMs?: number): Promise<boolean>;
  close(): Promise<void>;
}

const SqliteConfig = Type.Object({
  client: Type.Literal('better-sqlite3'),
  connection: Type.Object({
    /** Relative to the repository; `:memory:` in tests. */
    filename: Type.String({ minLength: 1 }),
  }),
});

const PostgresConfig = Type.Object({
  client: Type.Literal('pg'),
  /** A connection string or node-postgres options. */
  connection: Type.Union([
    Type.String({ minLength: 1 }),
    Type.Object({
      host: Type.Optional(Type.String()),
      port: Type.Optional(Type.Integer()),
      user: Type.Optional(Type.String()),
      password: Type.Optional(Type.String()),
      database: Type.Optional(Type.String()),
      ssl: Type.Optional(Type.Unknown()),
    }),
  ]),
  /** Maximum number of connections; default 10. */
  poolSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});

/** The `database` part of a service's configuration. */
export const DatabaseConfig = Type.Union([SqliteConfig, PostgresConfig]);
export type DatabaseConfig = Static<typeof DatabaseConfig>;

const ACQUIRE_TIMEOUT_MS = 5_000;
/**
 * SQLite has a single connection, which long writes block. This timeout is shorter than a
 * request's, so that waiting callers get an error in time; knex waits a minute by default.
 */
const SQLITE_ACQUIRE_TIMEOUT_MS = 15_000;
const STATEMENT_TIMEOUT_MS = 30_000;

/** Silences knex, which logs to the console the errors that it also throws. */
const SILENT = { warn() {}, error() {}, deprecate() {}, debug() {} };

/**
 * Opens the database of a service.
 *
 * @param options.root - base directory for a relative SQLite file name.
 */
export async function openDatabase(
  config: DatabaseConfig,
  options: { root: string },
): Promise<Database> {
  if (config.client === 'better-sqlite3') {
    const { filename } = config.connection;
    if (filename === ':memory:') {
      return wrapKnex(openSqlite(filename));
    }
    const file = path.resolve(options.root, filename);
    await mkdir(path.dirname(file), { recursive: true });
    return wrapKnex(openSqlite(file));
  }
  return wrapKnex(
    knexFactory({
      client: 'pg',
      log: SILENT,
      connection: postgresConnection(config.connection),
      pool: { min: 0, max: config.poolSize ?? 10 },
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    }),
  );
}

/** Wraps a knex instance that was created elsewhere, e.g. by a test. */
export function wrapKnex(knex: Knex): Database {
  const client = knex.client.config.client === 'pg' ? 'postgres' : 'sqlite';
  const group = client === 'sqlite' ? shareCommits(knex) : undefined;
  return {
    client,
    knex,
    async transaction(work) {
      try {
        return await (group
          ? group.run(work)
          : retryClashes(() => knex.transaction(work)));
      } catch (error) {
        throw isConnectionError(error)
          ? new DatabaseUnavailableError(error)
          : error;
      }
    },
    async isAlive(timeoutMs = 1_000) {
      try {
        await knex.raw('SELECT 1').timeout(timeoutMs);
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      await group?.idle();
      await knex.destroy();
    },
  };
}

/**
 * Opens a SQLite database.
 *
 * @param source - a file name, `:memory:`, or a serialised database to be held in memory.
 */
export function openSqlite(source: string | Buffer): Knex {
  return knexFactory({
    client: 'better-sqlite3',
    log: SILENT,
    // The driver accepts both; knex's type only declares file names.
    connection: { filename: source as string },
    useNullAsDefault: true,
    acquireConnectionTimeout: SQLITE_ACQUIRE_TIMEOUT_MS,
    pool: {
      min: 1,
      max: 1,
      afterCreate(
        connection: BetterSqlite3.Database,
        done: (error: Error | null, connection: unknown) => void,
      ) {
        connection.pragma('journal_mode = WAL');
        // In WAL mode, NORMAL could lose the last commits in a power cut.
        connection.pragma('synchronous = FULL');
        // Pages that change constantly are copied to the database file only once per 32 MB of log.
        connection.pragma('wal_autocheckpoint = 8192');
        connection.pragma('cache_size = -65536');
        connection.pragma('foreign_keys = ON');
        connection.pragma('busy_timeout = 5000');
        keepStatements(connection);
        done(null, connection);
      },
    },
  });
}

/** Statements that a connection keeps compiled. */
const MAX_STATEMENTS = 300;
/** Longer statements are not kept: they insert many rows and differ by their number. */
const MAX_STATEMENT_LENGTH = 4_000;
const REUSED = /^\s*(?:select|insert|update|delete|with|begin|commit)\b/i;
const SCHEMA = /^\s*(?:create|alter|drop)\b/i;

/**
 * Caches compiled statements. Knex prepares a statement again for every execution, for which the
 * driver also compiles a function that builds the rows; both take longer than most statements run.
 * See docs/adr/0078.
 */
function keepStatements(connection: BetterSqlite3.Database): void {
  const prepare = connection.prepare.bind(connection);
  /** Compiled statements by SQL, the most recently used last. */
  const kept = new Map<string, BetterSqlite3.Statement>();
  const prepareOnce = (sql: string) => {
    if (!REUSED.test(sql) || sql.length > MAX_STATEMENT_LENGTH) {
      if (SCHEMA.test(sql)) {
        kept.clear();
      }
      return prepare(sql);
    }
    const statement = kept.get(sql) ?? prepare(sql);
    kept.delete(sql);
    kept.set(sql, statement);
    if (kept.size > MAX_STATEMENTS) {
      const [oldest] = kept.keys();
      kept.delete(oldest);
    }
    return statement;
  };
  connection.prepare = prepareOnce as typeof connection.prepare;
}

function postgresConnection(
  connection: Extract<DatabaseConfig, { client: 'pg' }>['connection'],
): Knex.PgConnectionConfig {
  const own =
    typeof connection === 'string'
      ? { connectionString: connection }
      : (connection as Knex.PgConnectionConfig);
  return {
    ...own,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  };
}
