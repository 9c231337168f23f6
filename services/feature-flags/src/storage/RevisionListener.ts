import type { Database } from '@slipway/service-kit';
import { REVISION_CHANNEL } from './revisions.ts';

/** The part of a `pg` connection that is used here. */
interface Connection {
  query(text: string): Promise<unknown>;
  on(event: 'notification' | 'error' | 'end', listener: () => void): void;
  end(): Promise<void>;
}

/** The delay before a lost connection is reopened; polling continues in the meantime. */
const RETRY_MS = 5_000;

/**
 * Calls back as soon as another replica changes something, by listening for PostgreSQL notifications
 * on a connection of its own. Does nothing on SQLite, which only one process uses.
 */
export class RevisionListener {
  readonly #database: Database;
  readonly #onChange: () => void;
  #connection: Connection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: { database: Database; onChange: () => void }) {
    this.#database = options.database;
    this.#onChange = options.onChange;
  }

  /** Starts listening; retries while the database is down. */
  async start(): Promise<void> {
    if (this.#database.client !== 'postgres' || this.#isStopped) {
      return;
    }
    try {
      const connection: Connection =
        await this.#database.knex.client.acquireRawConnection();
      if (this.#isStopped) {
        await connection.end();
        return;
      }
      this.#connection = connection;
      connection.on('notification', () => this.#onChange());
      connection.on('error', () => this.#retry(connection));
      connection.on('end', () => this.#retry(connection));
      await connection.query(`LISTEN ${REVISION_CHANNEL}`);
      // Something may have changed while it was not listening.
      this.#onChange();
    } catch {
      this.#retry(this.#connection);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#connection?.end().catch(() => {});
  }

  #retry(connection: Connection | undefined): void {
    if (this.#isStopped || connection !== this.#connection) {
      return;
    }
    this.#connection = undefined;
    // It is still open if only LISTEN failed.
    connection?.end().catch(() => {});
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.start(), RETRY_MS);
    this.#timer.unref();
  }
}
