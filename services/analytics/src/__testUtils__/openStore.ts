import path from 'node:path';
import { ChdbStore } from '../store/chdb/ChdbStore.ts';
import type { ColumnStore } from '../store/ColumnStore.ts';
import { EventStore } from '../store/EventStore.ts';
import { ServerStore } from '../store/server/ServerStore.ts';
import { EventJournal } from '../store/sqlite/EventJournal.ts';
import { JournalQueries } from '../store/sqlite/JournalQueries.ts';
import { clickhouseConfig } from './clickhouseSetup.ts';
import { chdbTool, type TestEngine } from './startAnalytics.ts';

const limits = { timeoutMs: 20_000, idleMs: 60_000 };

/** Opens an event store on an engine; it throws instead of falling back to SQLite. */
export function openStore(engine: TestEngine, directory: string): EventStore {
  const journal = new EventJournal({ directory });
  const store = new EventStore({
    journal,
    queries: new JournalQueries({ filename: journal.filename, ...limits }),
    onFallBack: error => {
      throw error;
    },
  });
  const columns = columnsOf(engine, directory);
  if (columns) {
    store.useColumns(columns);
  }
  return store;
}

function columnsOf(
  engine: TestEngine,
  directory: string,
): ColumnStore | undefined {
  switch (engine) {
    case 'chdb':
      return new ChdbStore({
        entryPoint: chdbTool!.entryPoint,
        directory: path.join(directory, 'chdb'),
        maxThreads: 2,
        memoryBytes: 1024 ** 3,
        ...limits,
      });
    case 'clickhouse':
    case 'clickhouse cluster':
      return new ServerStore({
        ...clickhouseConfig(directory),
        username: 'default',
        password: '',
        layout:
          engine === 'clickhouse'
            ? {}
            : { cluster: 'one', isDistributed: true },
        timeoutMs: limits.timeoutMs,
        memoryBytes: 512 * 1024 ** 2,
        isFinal: true,
      });
    default:
      return undefined;
  }
}
