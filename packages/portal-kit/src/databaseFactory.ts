import { DatabaseManager } from '@backstage/backend-defaults/database';
import {
  coreServices,
  createServiceFactory,
  type DatabaseService,
} from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';
import { isPostgres } from './database';

/** The part of a better-sqlite3 connection that is used here. */
interface SqliteConnection {
  pragma(statement: string): unknown;
}

/**
 * Opens the databases of plugins as Backstage does, but with SQLite in WAL mode: a commit appends to a
 * log instead of first copying old pages, so it takes less than half as long and is just as durable.
 */
export const databaseFactory = createServiceFactory({
  service: coreServices.database,
  deps: {
    config: coreServices.rootConfig,
    lifecycle: coreServices.lifecycle,
    logger: coreServices.logger,
    plugin: coreServices.pluginMetadata,
    rootLifecycle: coreServices.rootLifecycle,
    rootLogger: coreServices.rootLogger,
  },
  async createRootContext({ config, rootLifecycle, rootLogger }) {
    return DatabaseManager.fromConfig(config, { rootLifecycle, rootLogger });
  },
  async factory({ lifecycle, logger, plugin }, manager) {
    const database = manager.forPlugin(plugin.getId(), { lifecycle, logger });
    let opened: Promise<Knex> | undefined;
    return {
      ...database,
      getClient: () => (opened ??= openWithLog(database)),
    };
  },
});

async function openWithLog(database: DatabaseService): Promise<Knex> {
  const knex = await database.getClient();
  if (!isPostgres(knex)) {
    knex.client.pool.on(
      'createSuccess',
      (_event: number, connection: SqliteConnection) => {
        connection.pragma('journal_mode = WAL');
        // In WAL mode, NORMAL could lose the latest commits in a power failure.
        connection.pragma('synchronous = FULL');
      },
    );
  }
  return knex;
}
