import type Database from 'better-sqlite3';
import { readMoment } from '../../query/time/moments.ts';
import {
  dateOf,
  difference,
  instantOf,
  move,
  startOf,
  type Unit,
} from '../../query/time/zones.ts';
import { addAggregates, compare, type Known } from './aggregates.ts';
import type { Cell } from './folds.ts';
import { formatTime, partOf } from './timeParts.ts';

/** Replaces values that are not finite numbers with null. */
function finite(value: Cell): Cell {
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}

const text = (value: Known) => String(value);
const calendarOf = (zone: Known, weekStart: Known) => ({
  zone: String(zone),
  weekStart: weekStart === '1' ? (1 as const) : (0 as const),
});

/** Rounds to a number of digits, halves to the even neighbour. */
function round(value: number, digits = 0): number {
  const scale = 10 ** digits;
  const scaled = value * scale;
  const down = Math.floor(scaled);
  const rest = scaled - down;
  const isUp = rest > 0.5 || (rest === 0.5 && down % 2 !== 0);
  return (isUp ? down + 1 : down) / scale;
}

const patterns = new Map<string, RegExp>();

function patternOf(source: string, flags: string): RegExp {
  const key = `${flags} ${source}`;
  const pattern = patterns.get(key) ?? new RegExp(source, flags);
  if (patterns.size > 100) {
    patterns.clear();
  }
  patterns.set(key, pattern);
  pattern.lastIndex = 0;
  return pattern;
}

/** Replaces matches of a pattern; `\1` is the first group. */
function replace([of, pattern, by]: Known[], flags: string): string {
  return text(of).replace(
    patternOf(text(pattern), flags),
    (...match: unknown[]) =>
      text(by).replace(/\\(\d)/g, (_all, digit) =>
        String(match[Number(digit)] ?? ''),
      ),
  );
}

function toText(value: Known, kind: Known): string | null {
  switch (kind) {
    case 'boolean':
      return value === 0 ? 'false' : 'true';
    case 'date':
      return formatTime(Number(value), '%F', 'UTC');
    case 'time':
      return formatTime(Number(value), '%F %T', 'UTC');
    default:
      return String(value);
  }
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const TIME =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]{0,30}:)?\/\/(?:[^/?#@]*@)?([^/?#:]*)/i;

/** Parses a JSON list. */
const listOf = (json: Known): Known[] => JSON.parse(text(json));

const lists = new Map<string, readonly number[]>();

/** Parses the starts of buckets, which are the same for every row of a query. */
function startsOf(json: string): readonly number[] {
  const starts: readonly number[] = lists.get(json) ?? JSON.parse(json);
  if (lists.size > 10) {
    lists.clear();
  }
  lists.set(json, starts);
  return starts;
}

/** Functions of values other than null. */
const OF_KNOWN: Readonly<Record<string, (args: Known[]) => Cell>> = {
  modulo: ([a, b]) => Number(a) % Number(b),
  round: ([of, digits]) => round(Number(of), Number(digits ?? 0)),
  floor: ([of]) => Math.floor(Number(of)),
  ceil: ([of]) => Math.ceil(Number(of)),
  sqrt: ([of]) => Math.sqrt(Number(of)),
  power: ([of, by]) => Number(of) ** Number(by),
  exp: ([of]) => Math.exp(Number(of)),
  log: ([of]) => Math.log(Number(of)),
  to_number: ([of]) => (NUMBER.test(text(of)) ? Number(of) : null),
  to_text: ([of, kind]) => toText(of, kind),
  lower: ([of]) => text(of).toLowerCase(),
  upper: ([of]) => text(of).toUpperCase(),
  length: ([of]) => Buffer.byteLength(text(of)),
  substring: ([of, start, length]) => {
    const characters = [...text(of)];
    const first = Math.trunc(Number(start));
    if (first === 0) {
      return '';
    }
    // A negative position counts from the end, and may be before the text.
    const from = first > 0 ? first - 1 : characters.length + first;
    const count = length === undefined ? Infinity : Math.trunc(Number(length));
    // A negative length leaves out characters at the end.
    const to = (count < 0 ? characters.length : from) + count;
    return characters.slice(Math.max(from, 0), Math.max(to, 0)).join('');
  },
  replace_one: ([of, what, by]) => text(of).replace(text(what), () => text(by)),
  starts_with: ([of, part]) => Number(text(of).startsWith(text(part))),
  ends_with: ([of, part]) => Number(text(of).endsWith(text(part))),
  reverse: ([of]) => [...text(of)].reverse().join(''),
  matches: ([of, pattern]) =>
    Number(patternOf(text(pattern), 's').test(text(of))),
  extract: ([of, pattern]) => {
    const match = patternOf(text(pattern), 's').exec(text(of));
    const [whole = '', group = ''] = match ?? [];
    return match && match.length > 1 ? group : whole;
  },
  replace_regexp_all: args => replace(args, 'gs'),
  replace_regexp_one: args => replace(args, 's'),
  split: ([of, separator]) =>
    JSON.stringify(
      separator === '' ? [...text(of)] : text(of).split(text(separator)),
    ),
  join: ([list, separator]) => listOf(list).join(text(separator)),
  element: ([list, index]) =>
    (Number(index) === 0
      ? undefined
      : listOf(list).at(Number(index) - (Number(index) > 0 ? 1 : 0))) ?? '',
  has: ([list, value]) => Number(listOf(list).includes(value)),
  item: ([list, index]) => listOf(list)[Number(index)] ?? null,
  span: ([first, length]) =>
    JSON.stringify(
      Array.from(
        { length: Number(length) },
        (_, index) => Number(first) + index,
      ),
    ),
  domain: ([of]) => ADDRESS.exec(text(of))?.[1] ?? '',
  path: ([of]) => {
    const rest = text(of).replace(ADDRESS, '');
    return /^\/[^?#]*/.exec(rest)?.[0] ?? '';
  },
  without_query: ([of]) => text(of).replace(/\?[^#]*/s, ''),
  start_of: ([of, unit, zone, weekStart]) =>
    startOf(Number(of), unit as Unit, calendarOf(zone, weekStart)),
  date_of: ([of, unit, zone, weekStart]) =>
    dateOf(Number(of), unit as Unit, calendarOf(zone, weekStart)),
  part: ([of, part, zone]) => partOf(Number(of), text(part), text(zone)),
  move: ([of, steps, unit, zone]) =>
    move(Number(of), unit as Unit, {
      steps: Math.trunc(Number(steps)),
      zone: text(zone),
    }),
  difference: ([from, to, unit, zone]) =>
    difference(Number(from), Number(to), {
      unit: unit as Unit,
      zone: text(zone),
    }),
  time_of_date: ([of, zone]) => instantOf(text(zone), Number(of)),
  time_of_text: ([of, zone]) =>
    TIME.test(text(of)) ? (readMoment(text(of), text(zone)) ?? null) : null,
  format_time: ([of, format, zone]) =>
    formatTime(Number(of), text(format), text(zone)),
  bucket: ([of, list]) => {
    const starts = startsOf(text(list));
    let [low, high] = [-1, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle] <= Number(of)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  },
};

function extreme(args: Cell[], sign: 1 | -1): Cell {
  const known = args.filter(arg => arg !== null);
  return known.length === 0
    ? null
    : known.reduce((best, each) =>
        compare(each, best) * sign > 0 ? each : best,
      );
}

function innerOf(json: string, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (of, name) =>
      typeof of === 'object' &&
      of !== null &&
      !Array.isArray(of) &&
      Object.hasOwn(of, name)
        ? (of as Record<string, unknown>)[name]
        : undefined,
    JSON.parse(json),
  );
}

/** Functions that also handle null. */
const OF_ANY: Readonly<Record<string, (args: Cell[]) => Cell>> = {
  greatest: args => extreme(args, 1),
  least: args => extreme(args, -1),
  inner: ([properties, path, what]) => {
    const found = innerOf(String(properties), JSON.parse(String(path)));
    if (found === undefined || found === null) {
      return what === 'type' ? 'null' : null;
    }
    if (what === 'json') {
      return JSON.stringify(found);
    }
    if (what === 'type') {
      const other = typeof found === 'number' ? 'real' : 'object';
      return typeof found === 'string' ? 'text' : other;
    }
    return typeof found === 'string' || typeof found === 'number'
      ? found
      : JSON.stringify(found);
  },
};

/** Adds functions that SQLite lacks, with ClickHouse's semantics. */
export function addFunctions(database: Database.Database): void {
  for (const [name, work] of Object.entries(OF_KNOWN)) {
    database.function(
      `f_${name}`,
      { deterministic: true, varargs: true },
      (...args: unknown[]) =>
        args.includes(null) ? null : finite(work(args as Known[])),
    );
  }
  for (const [name, work] of Object.entries(OF_ANY)) {
    database.function(
      `f_${name}`,
      { deterministic: true, varargs: true },
      (...args: unknown[]) => work(args as Cell[]),
    );
  }
  addAggregates(database);
}
