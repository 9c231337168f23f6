import Database from 'better-sqlite3';
import type { Value } from '../../query/language/Expression.ts';
import { serveProcess } from '../process/serveProcess.ts';
import { matchesLike } from './matchesLike.ts';

/** A statement over the journal. */
export interface SqliteQuestion {
  sql: string;
  parameters: Record<string, Value>;
}

// Reads the journal beside the service that writes it, so that a heavy query neither
// holds up what arrives nor the answers of others.
const { filename } = JSON.parse(process.argv[2]) as { filename: string };
const database = new Database(filename, { readonly: true });
database.pragma('cache_size = -16384');
database.function(
  'matches_like',
  { deterministic: true },
  (text: unknown, pattern: unknown, caseless: unknown) => {
    if (text === null) {
      return null;
    }
    return matchesLike(String(text), String(pattern), caseless === 1) ? 1 : 0;
  },
);

serveProcess<SqliteQuestion>({
  async answer({ sql, parameters }) {
    return database.prepare(sql).raw().all(parameters);
  },
  isTooHeavy: () => false,
  close: () => database.close(),
});
