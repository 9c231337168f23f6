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
import type { ErasedIds } from '../people/ErasedIds.ts';
import type { PersonStore } from '../people/storage/PersonStore.ts';
import { ChdbStore } from './chdb/ChdbStore.ts';
import { EventJournal } from './sqlite/EventJournal.ts';
import { EventStore } from './EventStore.ts';
import { JournalQueries } from './sqlite/JournalQueries.ts';
import { DirectoryInUseError } from './sqlite/journalFile.ts';
import { moveInBackground } from './EventMover.ts';
import { ServerStore } from './server/ServerStore.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const MEBIBYTE = 1024 * 1024;

/** Returns each project with the time for which it keeps its events. */
type Retentions = () => Promise<
  readonly { id: string; retentionDays?: number }[]
>;

/** Opens the event store: chDB if it is installed, otherwise SQLite until chDB is installed. */
export function openEventStore(
  kit: Pick<ServiceKit, 'logger' | 'now' | 'every' | 'onStart' | 'onStop'>,
  options: {
    config: AnalyticsConfig['events'];
    persons: PersonStore;
    erased: ErasedIds;
    retentions: Retentions;
  },
): EventStore {
  const { config, persons, erased } = options;
  const { logger } = kit;
  const directory = absolutePathOf(config);
  const engine = {
    timeoutMs: config.querySeconds * 1_000,
    idleMs: config.idleSeconds * 1_000,
  };
  const journal = openJournal(directory);
  const store = new EventStore({
    journal,
    persons,
    erased,
    queries: new JournalQueries({ filename: journal.filename, ...engine }),
    onFallBack: error =>
      logger.warn({ err: error }, 'chDB does not run, events stay in SQLite'),
    onDropped: error =>
      logger.error(
        { err: error },
        'A change of a person was dropped: the database cannot store it',
      ),
  });
  useEngine(kit, { config, engine, directory, journal, store, erased });
  keepHouse(kit, { store, config, retentions: options.retentions });
  return store;
}

interface EngineOptions {
  readonly config: AnalyticsConfig['events'];
  readonly engine: { timeoutMs: number; idleMs: number };
  readonly directory: string;
  readonly journal: EventJournal;
  readonly store: EventStore;
  readonly erased: ErasedIds;
}

/** Makes the store use the configured engine once it is available. */
function useEngine(
  kit: Pick<ServiceKit, 'logger' | 'onStart' | 'onStop'>,
  options: EngineOptions,
): void {
  const { config, journal, store } = options;
  const { clickhouse } = config;
  if (
    config.engine === 'clickhouse' ||
    (config.engine === 'auto' && clickhouse)
  ) {
    assertMovedTo(journal, 'clickhouse');
    store.useColumns(serverStore(options));
    kit.logger.info('Events are kept in ClickHouse');
    return;
  }
  if (config.engine === 'sqlite') {
    kit.logger.info('Events are kept in SQLite');
    return;
  }
  assertMovedTo(journal, 'chdb');
  useChdb(kit, options);
}

/**
 * @throws ConfigurationError if events were moved to another engine: only that engine can
 *   query them.
 */
function assertMovedTo(journal: EventJournal, engine: string): void {
  const other = journal.moves.movedTo();
  if (other !== undefined && other !== engine) {
    throw new ConfigurationError([
      `analytics.events.engine is ${engine}, but the events in analytics.events.directory were moved to ${other}: export them, then import them with a new directory`,
    ]);
  }
}

function serverStore({ config, engine, erased }: EngineOptions): ServerStore {
  const { clickhouse } = config;
  if (!clickhouse) {
    throw new ConfigurationError([
      'analytics.events.engine is clickhouse, but analytics.events.clickhouse is missing',
    ]);
  }
  const { url, username, password, cluster, replicated, distributed, final } =
    clickhouse;
  if ((replicated || distributed) && cluster === undefined) {
    throw new ConfigurationError([
      'analytics.events.clickhouse.cluster is required if replicated or distributed is set',
    ]);
  }
  return new ServerStore({
    url,
    username,
    password,
    layout: {
      ...(cluster !== undefined && { cluster }),
      isReplicated: replicated,
      isDistributed: distributed,
    },
    timeoutMs: engine.timeoutMs,
    memoryBytes: (config.memoryMegabytes * MEBIBYTE) / 2,
    isFinal: final,
    erased,
  });
}

function useChdb(
  kit: Pick<ServiceKit, 'logger' | 'onStart' | 'onStop'>,
  { config, engine, directory, store }: EngineOptions,
): void {
  const { logger } = kit;
  const use = ({ entryPoint, version }: InstalledTool) => {
    store.useColumns(
      new ChdbStore({
        entryPoint,
        directory: path.join(directory, 'chdb'),
        ...(config.backups && { backups: absolutePathOf(config.backups) }),
        maxThreads: config.threads,
        memoryBytes: config.memoryMegabytes * MEBIBYTE,
        ...engine,
      }),
    );
    logger.info(`Events are kept in chDB ${version}`);
  };
  const installer = new ToolInstaller({ toolsFolder: findToolsFolder() });
  const installed = installer.find(chdb);
  if (installed) {
    use(installed);
  } else if (config.install) {
    logger.info('Events are kept in SQLite');
    kit.onStart(() => void bringChdb(kit, { installer, use }));
  } else if (config.engine === 'chdb') {
    throw new ConfigurationError([
      'analytics.events.engine is chdb, which is not installed: run yarn chdb:install',
    ]);
  } else {
    logger.info('Events are kept in SQLite');
  }
}

/** Returns the absolute path of the configured directory. */
export function absolutePathOf({ directory }: { directory: string }): string {
  return path.resolve(REPOSITORY, directory);
}

/** @throws ConfigurationError if another process uses the directory. */
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

/**
 * Installs chDB in the background. SQLite runs queries in the meantime, and permanently if
 * chDB fails to run.
 */
async function bringChdb(
  { logger, onStop }: Pick<ServiceKit, 'logger' | 'onStop'>,
  options: { installer: ToolInstaller; use: (tool: InstalledTool) => void },
): Promise<void> {
  const abort = new AbortController();
  onStop(() => abort.abort());
  try {
    logger.info('Installing chDB');
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
      'moveFrom' | 'rememberUuidDays' | 'rememberUuids' | 'retentionDays'
    >;
    retentions: Retentions;
  },
): void {
  const { store, config, retentions } = options;
  kit.onStop(() => store.close());
  kit.onStart(() => {
    const stopMoving = moveInBackground(store, {
      logger: kit.logger,
      // Other replicas query the same server, and cannot read this replica's pending events.
      moveFrom: store.state().engine === 'clickhouse' ? 1 : config.moveFrom,
    });
    kit.onStop(stopMoving);
  });
  kit.every({
    name: 'Deleting old uuids',
    everyMs: FORGET_MS,
    work: signal =>
      store.forgetSeen(
        {
          before: kit.now() - config.rememberUuidDays * DAY_MS,
          most: config.rememberUuids,
        },
        signal,
      ),
  });
  let done: string | undefined;
  kit.every({
    name: 'Deleting old events',
    everyMs: RETENTION_MS,
    async work(signal) {
      const rules = rulesOf(config.retentionDays, await retentions());
      const today = Math.floor(kit.now() / DAY_MS);
      const due = JSON.stringify([today, rules]);
      // At most once a day, as this starts the engine.
      if (done !== due) {
        for (const { projectId, days } of rules) {
          await store.deletes.before(
            (today - days) * DAY_MS,
            signal,
            projectId,
          );
        }
        done = due;
      }
    },
  });
}

/** How long the events of one project, or of all projects, are kept. */
interface RetentionRule {
  readonly projectId?: string;
  readonly days: number;
}

/** Returns one rule for all projects, unless one of them has its own. */
function rulesOf(
  days: number | undefined,
  projects: readonly { id: string; retentionDays?: number }[],
): RetentionRule[] {
  if (projects.every(({ retentionDays }) => retentionDays === undefined)) {
    return days === undefined ? [] : [{ days }];
  }
  return projects.flatMap(({ id, retentionDays = days }) =>
    retentionDays === undefined ? [] : [{ projectId: id, days: retentionDays }],
  );
}
