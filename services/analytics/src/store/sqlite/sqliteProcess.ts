import { setFlagsFromString } from 'node:v8';
import Database from 'better-sqlite3';
import type { Value } from '../../query/language/Expression.ts';
import { serveProcess } from '../process/serveProcess.ts';
import { ListTooLongError } from './aggregates.ts';
import {
  type CountedArrivals,
  countArrivals,
  type CountRequest,
} from './countArrivals.ts';
import { addFunctions } from './functions.ts';

/** A request to the process that reads the journal; maps are sent as entries. */
export type SqliteRequest =
  | { kind: 'query'; sql: string; parameters: Record<string, Value> }
  | ({ kind: 'count'; keptSince: readonly [string, number][] } & Omit<
      CountRequest,
      'keptSince'
    >);

/** The response to a request to count. */
export interface CountMessage {
  upTo: number;
  observed: readonly (Omit<CountedArrivals['observed'][number], 'days'> & {
    days: readonly [number, number][];
  })[];
}

// Reads the journal in a separate process, so that a heavy query blocks neither
// incoming events nor other queries.

// For regular expressions from users: one such as (a|a)*b would otherwise backtrack for
// minutes. One with a count above 16, such as (a|a)*b{17}, backtracks anyway, so the parser
// rejects those that repeat alternatives.
setFlagsFromString(
  '--enable-experimental-regexp-engine-on-excessive-backtracks',
);
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
addFunctions(database);

void serveProcess<SqliteRequest>({
  async answer(request) {
    return request.kind === 'query'
      ? database.prepare(request.sql).raw().all(request.parameters)
      : count(request);
  },
  isTooHeavy: error => error instanceof ListTooLongError,
  close: () => database.close(),
});

function count(
  request: Extract<SqliteRequest, { kind: 'count' }>,
): CountMessage {
  const { upTo, observed } = countArrivals(database, {
    ...request,
    keptSince: new Map(request.keptSince),
  });
  return {
    upTo,
    observed: observed.map(each => ({ ...each, days: [...each.days] })),
  };
}

/**
 * Checks whether a text matches a LIKE pattern with ClickHouse's semantics: `%` matches any
 * text, `_` any character, and a backslash makes the next character literal. Takes time
 * proportional to at most the product of both lengths, for any pattern.
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
  // Position of the last %, and how much of the text it has consumed so far.
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
