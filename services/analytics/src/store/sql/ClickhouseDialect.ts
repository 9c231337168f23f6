import type { Value } from '../../query/language/EventsPlan.ts';
import type { Dialect } from './compilePlan.ts';

/** The table of events, in chDB and in ClickHouse alike. */
export const EVENTS_TABLE = 'analytics.events';

const STARTS = {
  hour: (time: string) => `toStartOfHour(${time})`,
  day: (time: string) => `toStartOfDay(${time})`,
  // Mode 0: weeks begin on Sunday.
  week: (time: string) =>
    `toStartOfDay(toDateTime(toStartOfWeek(${time}, 0), 'UTC'))`,
  month: (time: string) =>
    `toStartOfDay(toDateTime(toStartOfMonth(${time}), 'UTC'))`,
} as const;

const AGGREGATES = {
  count: 'count',
  countDistinct: 'uniqExact',
  sum: 'sumOrNull',
  avg: 'avgOrNull',
  min: 'minOrNull',
  max: 'maxOrNull',
} as const;

/**
 * ClickHouse's SQL. Texts of users are written as `unhex('…')`: no character of theirs
 * is in the statement, so that there is nothing to escape and nothing to get wrong.
 * (chDB runs statements with parameters one at a time in the whole process.)
 */
export const clickhouseDialect: Dialect = {
  table: EVENTS_TABLE,
  value: writeValue,
  column(name) {
    switch (name) {
      case 'timestamp':
      case 'created_at':
        return `toUnixTimestamp64Milli(${name})`;
      case 'uuid':
        return 'toString(uuid)';
      default:
        return `toString(${name})`;
    }
  },
  between: ({ after, before }) =>
    [
      ...(after === undefined
        ? []
        : [
            `timestamp > fromUnixTimestamp64Milli(${writeInteger(
              after,
            )}, 'UTC')`,
          ]),
      `timestamp < fromUnixTimestamp64Milli(${writeInteger(before)}, 'UTC')`,
    ].join(' AND '),
  text: name => lookUp('texts', name),
  number: name => lookUp('numbers', name),
  truncate: (unit, milliseconds) =>
    `toInt64(toUnixTimestamp(${STARTS[unit](
      `fromUnixTimestamp64Milli(${milliseconds}, 'UTC')`,
    )})) * 1000`,
  like: (text, { pattern, caseless }) =>
    `${caseless ? 'ilike' : 'like'}(${text}, ${writeValue(pattern)})`,
  aggregate: (name, of) => `${AGGREGATES[name]}(${of})`,
};

function lookUp(map: 'texts' | 'numbers', name: string): string {
  const key = writeValue(name);
  return `if(mapContains(${map}, ${key}), ${map}[${key}], NULL)`;
}

function writeValue(value: Value): string {
  return typeof value === 'string'
    ? `unhex('${Buffer.from(value).toString('hex')}')`
    : writeNumber(value);
}

function writeNumber(value: number): string {
  if (Number.isSafeInteger(value)) {
    return writeInteger(value);
  }
  // Only digits, a point, a sign and an exponent: what JavaScript makes of a number.
  return `toFloat64(${Number.isFinite(value) ? value : 0})`;
}

function writeInteger(value: number): string {
  return `toInt64(${Math.trunc(value)})`;
}
