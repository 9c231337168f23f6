import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  chdb,
  findToolsFolder,
  type InstalledTool,
  ToolInstaller,
} from '@slipway/managed-tools';
import { ConfigurationError, type ServiceKit } from '@slipway/service-kit';
import type { AnalyticsConfig } from '../config.ts';
import { ChdbStore } from './chdb/ChdbStore.ts';
import { EventJournal } from './sqlite/EventJournal.ts';
import { EventStore } from './EventStore.ts';
import { JournalQueries } from './sqlite/JournalQueries.ts';
import { DirectoryInUseError } from './sqlite/lockDirectory.ts';
import { moveInBackground } from './EventMover.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Opens the store of events: chDB where it is installed, SQLite where it is not, and
 * chDB from the moment on at which it has been brought.
 */
export function openEventStore(
  kit: Pick<ServiceKit, 'logger' | 'now' | 'every' | 'onStart' | 'onStop'>,
  config: AnalyticsConfig['events'],
): EventStore {
  const { logger } = kit;
  const directory = path.resolve(REPOSITORY, config.directory);
  const engine = {
    timeoutMs: config.querySeconds * 1_000,
    idleMs: config.idleSeconds * 1_000,
  };
  const journal = openJournal(directory);
  const store = new EventStore({
    journal,
    queries: new JournalQueries({ filename: journal.filename, ...engine }),
    onFallBack: error =>
      logger.warn({ err: error }, 'chDB does not run, events stay in SQLite'),
  });
  const use = ({ entryPoint, version }: InstalledTool) => {
    store.useColumns(
      new ChdbStore({
        entryPoint,
        directory: path.join(directory, 'chdb'),
        maxThreads: config.threads,
        memoryBytes: config.memoryMegabytes * 1024 * 1024,
        ...engine,
      }),
    );
    logger.info(`Events are kept in chDB ${version}`);
  };
  const installer = new ToolInstaller({ toolsFolder: findToolsFolder() });
  const installed =
    config.engine === 'sqlite' ? undefined : installer.find(chdb);
  if (installed) {
    use(installed);
  } else if (config.engine === 'chdb' && !config.install) {
    throw new ConfigurationError([
      'analytics.events.engine is chdb, which is not installed: run yarn chdb:install',
    ]);
  } else {
    logger.info('Events are kept in SQLite');
  }
  if (!installed && config.engine !== 'sqlite' && config.install) {
    kit.onStart(() => void bringChdb(kit, { installer, use }));
  }
  keepHouse(kit, { store, config });
  return store;
}

/** @throws ConfigurationError where another process has the directory. */
function openJournal(directory: string): EventJournal {
  try {
    return new EventJournal({ directory });
  } catch (error) {
    throw error instanceof DirectoryInUseError
      ? new ConfigurationError([
          `analytics.events.directory: ${directory} is in use by another process; each needs a directory of its own`,
        ])
      : error;
  }
}

/** Installs chDB in the background; SQLite answers meanwhile, and where chDB does not run. */
async function bringChdb(
  { logger, onStop }: Pick<ServiceKit, 'logger' | 'onStop'>,
  options: { installer: ToolInstaller; use: (tool: InstalledTool) => void },
): Promise<void> {
  const abort = new AbortController();
  onStop(() => abort.abort());
  try {
    logger.info('Bringing chDB');
    options.use(
      await options.installer.install(chdb, { signal: abort.signal }),
    );
  } catch (error) {
    if (!abort.signal.aborted) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn(`Events stay in SQLite: ${reason}`);
    }
  }
}

const DAY_MS = 24 * 3_600_000;
const FORGET_MS = 5_000;
const RETENTION_MS = 3_600_000;

/** Moves, forgets and deletes events in the background while the service runs. */
function keepHouse(
  kit: Pick<ServiceKit, 'logger' | 'now' | 'every' | 'onStart' | 'onStop'>,
  options: {
    store: EventStore;
    config: Pick<
      AnalyticsConfig['events'],
      'rememberUuidDays' | 'retentionDays'
    >;
  },
): void {
  const { store, config } = options;
  kit.onStop(() => store.close());
  kit.onStart(() => {
    const stopMoving = moveInBackground(store, kit.logger);
    kit.onStop(stopMoving);
  });
  kit.every({
    name: 'Deleting old uuids',
    everyMs: FORGET_MS,
    work: signal =>
      store.forgetSeen(kit.now() - config.rememberUuidDays * DAY_MS, signal),
  });
  const { retentionDays } = config;
  if (retentionDays !== undefined) {
    let done: number | undefined;
    kit.every({
      name: 'Deleting old events',
      everyMs: RETENTION_MS,
      async work(signal) {
        // Once a day: it takes an engine that runs.
        const today = Math.floor(kit.now() / DAY_MS);
        if (done !== today) {
          await store.deleteBefore((today - retentionDays) * DAY_MS, signal);
          done = today;
        }
      },
    });
  }
}
