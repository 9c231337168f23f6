import path from 'node:path';
import { ChdbStore } from '../store/chdb/ChdbStore.ts';
import { type EngineName, EventStore } from '../store/EventStore.ts';
import { EventJournal } from '../store/sqlite/EventJournal.ts';
import { JournalQueries } from '../store/sqlite/JournalQueries.ts';
import { chdbTool } from './startAnalytics.ts';

/** A store of events on an engine; it throws where it would fall back on SQLite. */
export function openStore(engine: EngineName, directory: string): EventStore {
  const limits = { timeoutMs: 20_000, idleMs: 60_000 };
  const journal = new EventJournal({ directory });
  const store = new EventStore({
    journal,
    queries: new JournalQueries({ filename: journal.filename, ...limits }),
    onFallBack: error => {
      throw error;
    },
  });
  if (engine === 'chdb') {
    store.useColumns(
      new ChdbStore({
        entryPoint: chdbTool!.entryPoint,
        directory: path.join(directory, 'chdb'),
        maxThreads: 2,
        memoryBytes: 1024 ** 3,
        ...limits,
      }),
    );
  }
  return store;
}
