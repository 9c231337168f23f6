import Database from 'better-sqlite3';
import type { Value } from '../../query/language/EventsPlan.ts';
import { serveProcess } from '../process/serveProcess.ts';

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

/**
 * Whether a text is like a pattern, as ClickHouse sees it: `%` is any text, `_` any
 * character, a backslash makes the next character itself. Takes time proportional to
 * the lengths multiplied at worst, whatever the pattern.
 */
export function matchesLike(
  text: string,
  pattern: string,
  caseless: boolean,
): boolean {
  const characters = [...(caseless ? text.toLowerCase() : text)];
  const parts = readPattern(caseless ? pattern.toLowerCase() : pattern);
  let at = 0;
  let part = 0;
  // Where the last % stands, and how much of the text it has taken so far.
  let any = -1;
  let taken = 0;
  while (at < characters.length) {
    const expected = parts[part];
    if (expected?.kind === 'any') {
      any = part;
      taken = at;
      part += 1;
    } else if (
      expected &&
      (expected.kind === 'one' || expected.character === characters[at])
    ) {
      at += 1;
      part += 1;
    } else if (any >= 0) {
      taken += 1;
      at = taken;
      part = any + 1;
    } else {
      return false;
    }
  }
  return parts.slice(part).every(({ kind }) => kind === 'any');
}

type Part =
  { kind: 'any' } | { kind: 'one' } | { kind: 'character'; character: string };

function readPattern(pattern: string): Part[] {
  const parts: Part[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    const next = characters[at + 1];
    if (character === '\\' && (next === '%' || next === '_' || next === '\\')) {
      at += 1;
      parts.push({ kind: 'character', character: next });
    } else if (character === '%') {
      parts.push({ kind: 'any' });
    } else if (character === '_') {
      parts.push({ kind: 'one' });
    } else {
      parts.push({ kind: 'character', character });
    }
  }
  return parts;
}
