import { callWriter, logicWriters, type Writer } from './callWriter.ts';

/**
 * Writes a call of a function that the engine's process defines, with the words after the
 * arguments.
 */
const own =
  (name: string): Writer =>
  (args, words) =>
    `f_${name}(${[...args, ...words.map(word => `'${word}'`)].join(', ')})`;
const ownTest =
  (name: string): Writer =>
  (...call) =>
    `ifnull(${own(name)(...call)}, 0)`;
const like =
  (caseless: 0 | 1): Writer =>
  ([text, pattern]) =>
    `ifnull(matches_like(${text}, ${pattern}, ${caseless}), 0)`;

/**
 * Writes a call in SQLite's SQL. The engine's process defines functions that SQLite
 * lacks (`f_…`).
 */
export const writeSqliteCall = callWriter({
  ...logicWriters('ifnull'),
  like: like(0),
  ilike: like(1),
  matches: ownTest('matches'),
  if: ([when, yes, no]) => `CASE WHEN ${when} THEN ${yes} ELSE ${no} END`,
  coalesce: args =>
    args.length === 1 ? `(${args[0]})` : `coalesce(${args.join(', ')})`,
  nullIf: args => `nullif(${args.join(', ')})`,
  divide: ([left, right]) => `(CAST(${left} AS REAL) / ${right})`,
  modulo: own('modulo'),
  abs: ([of]) => `abs(${of})`,
  round: own('round'),
  floor: own('floor'),
  ceil: own('ceil'),
  sqrt: own('sqrt'),
  power: own('power'),
  exp: own('exp'),
  log: own('log'),
  greatest: own('greatest'),
  least: own('least'),
  toNumber: own('to_number'),
  toText: own('to_text'),
  lower: own('lower'),
  upper: own('upper'),
  length: own('length'),
  concat: args => `(${args.map(each => `ifnull(${each}, '')`).join(' || ')})`,
  substring: own('substring'),
  trim: ([of]) => `trim(${of})`,
  replaceAll: ([text, ...rest]) => `replace(${[text, ...rest].join(', ')})`,
  replaceOne: own('replace_one'),
  position: ([text, part]) => `instr(${text}, ${part})`,
  startsWith: ownTest('starts_with'),
  endsWith: ownTest('ends_with'),
  reverse: own('reverse'),
  extract: own('extract'),
  replaceRegexpAll: own('replace_regexp_all'),
  replaceRegexpOne: own('replace_regexp_one'),
  split: ([text, separator]) => `f_split(ifnull(${text}, ''), ${separator})`,
  join: ([list, separator = "''"]) => `f_join(${list}, ${separator})`,
  domain: own('domain'),
  path: own('path'),
  withoutQuery: own('without_query'),
  startOf: own('start_of'),
  dateOf: own('date_of'),
  part: own('part'),
  move: own('move'),
  difference: own('difference'),
  timeOfDate: own('time_of_date'),
  timeOfText: own('time_of_text'),
  formatTime: own('format_time'),
  element: own('element'),
  has: ownTest('has'),
  size: ([list]) => `json_array_length(${list})`,
  // As one text: a function of SQLite takes at most 1,000 arguments.
  bucket: ([of], _words, { args: [, ...starts] }) =>
    `f_bucket(${of}, '${JSON.stringify(
      starts.map(start => (start.kind === 'value' ? Number(start.value) : NaN)),
    )}')`,
  item: ([list, index]) => `f_item(${list}, ${index})`,
  span: own('span'),
  items: ([list]) => `json_array_length(${list})`,
});
