import { type Call, kindOf } from '../../query/language/Expression.ts';
import { FIXED_MS } from '../../query/time/zones.ts';
import {
  type Args,
  callWriter,
  infix,
  logicWriters,
  type Writer,
} from './callWriter.ts';
import { isPresent } from './isPresent.ts';

const DAY_MS = 86_400_000;

/** Text that both engines parse as a time. */
const TIME_TEXT =
  '^\\\\d{4}-\\\\d{2}-\\\\d{2}([T ]\\\\d{2}:\\\\d{2}(:\\\\d{2}([.]\\\\d+)?)?(Z|[+-]\\\\d{2}:?\\\\d{2})?)?$';

const plain =
  (name: string): Writer =>
  args =>
    `${name}(${args.join(', ')})`;
/** Writes a time in the zone in which its parts are read. */
function zoned(milliseconds: string, zone: string): string {
  const column = /^toUnixTimestamp64Milli\((\w+)\)$/.exec(milliseconds)?.[1];
  return column
    ? `toTimeZone(${column}, '${zone}')`
    : `fromUnixTimestamp64Milli(toInt64(${milliseconds}), '${zone}')`;
}

/** A value that is written with its type. */
const WRITTEN_NUMBER = /^to(Float64|Int64)\([-+.\de]+\)$/;

/** Converts arguments to one type: ClickHouse has no common type for integers and floats. */
function alike(args: Args, call: Call): string[] {
  return args.map(arg => {
    if (arg === 'NULL' || WRITTEN_NUMBER.test(arg)) {
      return arg;
    }
    switch (call.of) {
      case 'number':
        return `toFloat64(${arg})`;
      case 'time':
      case 'date':
        return `toInt64(${arg})`;
      default:
        return arg;
    }
  });
}

/** Beyond this number of different widths, such as in a list of months, starts are looked up. */
const MAX_WIDTHS = 4;

/**
 * Writes the index of a time's bucket as a small integer, by which the engine groups
 * fastest. Buckets of one width take one division: all days have the same length except
 * when clocks change.
 */
function writeBucket(of: string, starts: readonly number[]): string {
  const runs = runsOf(starts);
  const list = `CAST([${starts.join(', ')}], 'Array(Int64)')`;
  const inRun = ({ index, width }: (typeof runs)[number]) =>
    `${index} + intDiv(${of} - ${starts[index]}, ${width})`;
  const index =
    runs.length > MAX_WIDTHS
      ? `transform(roundDown(${of}, ${list}), ${list}, CAST([${[
          ...starts.keys(),
        ].join(', ')}], 'Array(Int64)'), -1)`
      : runs
          .slice(1)
          .reduce(
            (before, run) =>
              `if(${of} < ${starts[run.index]}, ${before}, ${inRun(run)})`,
            inRun(runs[0]),
          );
  return `toInt16(if(${of} < ${starts[0]}, -1, least(${index}, ${
    starts.length - 1
  })))`;
}

/** Groups buckets into runs of one width; the last one of a run may be shorter. */
function runsOf(starts: readonly number[]): { index: number; width: number }[] {
  const runs: { index: number; width: number }[] = [];
  let isOver = true;
  starts.forEach((start, index) => {
    const width = (starts[index + 1] ?? start + 1) - start;
    const last = runs.at(-1);
    if (!last || isOver || width > last.width) {
      runs.push({ index, width });
      isOver = false;
    } else {
      isOver = width < last.width;
    }
  });
  return runs;
}

const whole = (number: string | undefined) =>
  number === undefined ? [] : [`toInt64(${number})`];

const DAYS: Readonly<Record<string, string>> = {
  day: 'toDate',
  month: 'toStartOfMonth',
  quarter: 'toStartOfQuarter',
  year: 'toStartOfYear',
};

const PARTS: Readonly<Record<string, string>> = {
  year: 'toYear',
  quarter: 'toQuarter',
  month: 'toMonth',
  isoWeek: 'toISOWeek',
  day: 'toDayOfMonth',
  weekday: 'toDayOfWeek',
  dayOfYear: 'toDayOfYear',
  hour: 'toHour',
  minute: 'toMinute',
  second: 'toSecond',
  yearMonth: 'toYYYYMM',
  yearMonthDay: 'toYYYYMMDD',
};

const MOVES: Readonly<Record<string, string>> = {
  day: 'addDays',
  week: 'addWeeks',
  month: 'addMonths',
  quarter: 'addQuarters',
  year: 'addYears',
};

/** Writes a call in ClickHouse's SQL. */
export const writeClickhouseCall = callWriter({
  // On a cluster, GLOBAL runs the query once instead of on each machine.
  ...logicWriters('ifNull', 'GLOBAL IN'),
  like: args => `ifNull(like(${args.join(', ')}), 0)`,
  ilike: args => `ifNull(ilike(${args.join(', ')}), 0)`,
  matches: args => `ifNull(match(${args.join(', ')}), 0)`,
  if: ([when, yes, no], _words, call) =>
    `if(${isPresent(call.args[0]) ? when : `ifNull(${when}, 0)`}, ${alike([yes, no], call).join(', ')})`,
  coalesce: (args, _words, call) => `coalesce(${alike(args, call).join(', ')})`,
  nullIf: plain('nullIf'),
  divide: infix('/'),
  modulo: ([left, right]) =>
    `if(toFloat64(${right}) = 0, NULL, toFloat64(${left}) - toFloat64(${right}) * trunc(${left} / ${right}))`,
  abs: plain('abs'),
  round: (args, _words, { args: [, digits] }) =>
    digits?.kind === 'value'
      ? `round(toFloat64(${args[0]}), ${Math.trunc(Number(digits.value))})`
      : `round(toFloat64(${args[0]}))`,
  floor: plain('floor'),
  ceil: plain('ceil'),
  sqrt: plain('sqrt'),
  power: plain('pow'),
  exp: plain('exp'),
  log: plain('log'),
  greatest: (args, _words, call) => `greatest(${alike(args, call).join(', ')})`,
  least: (args, _words, call) => `least(${alike(args, call).join(', ')})`,
  toNumber: plain('toFloat64OrNull'),
  toText: ([of], [kind]) => {
    switch (kind) {
      case 'boolean':
        return `if(${of}, 'true', 'false')`;
      case 'date':
        return `formatDateTime(${zoned(of, 'UTC')}, '%F')`;
      case 'time':
        return `formatDateTime(${zoned(of, 'UTC')}, '%F %T')`;
      default:
        return `toString(${of})`;
    }
  },
  lower: plain('lowerUTF8'),
  upper: plain('upperUTF8'),
  length: plain('length'),
  concat: args =>
    `concat(${args.map(each => `ifNull(${each}, '')`).join(', ')}, '')`,
  substring: ([text, start, length]) =>
    `substringUTF8(${[text, ...whole(start), ...whole(length)].join(', ')})`,
  trim: plain('trimBoth'),
  replaceAll: plain('replaceAll'),
  replaceOne: plain('replaceOne'),
  position: plain('positionUTF8'),
  startsWith: args => `ifNull(startsWith(${args.join(', ')}), 0)`,
  endsWith: args => `ifNull(endsWith(${args.join(', ')}), 0)`,
  reverse: plain('reverseUTF8'),
  extract: plain('extract'),
  replaceRegexpAll: plain('replaceRegexpAll'),
  replaceRegexpOne: plain('replaceRegexpOne'),
  split: ([text, separator]) =>
    `splitByString(${separator}, ifNull(${text}, ''))`,
  join: ([list, separator = "''"]) =>
    `arrayStringConcat(${list}, ${separator})`,
  domain: plain('domain'),
  path: plain('path'),
  withoutQuery: plain('cutQueryString'),
  startOf: ([of], [unit, zone]) => {
    const fixed = FIXED_MS[unit];
    if (fixed === undefined) {
      return `(toInt64(toUnixTimestamp(toStartOfDay(${zoned(of, zone)}))) * 1000)`;
    }
    // Zone offsets may include parts of an hour.
    const shown =
      zone === 'UTC'
        ? of
        : `(${of} + toInt64(timeZoneOffset(${zoned(of, zone)})) * 1000)`;
    return `(${of} - positiveModulo(${shown}, ${fixed}))`;
  },
  dateOf: ([of], [unit, zone, weekStart]) => {
    const time = zoned(of, zone);
    const date =
      unit === 'week'
        ? `toStartOfWeek(${time}, ${weekStart === '1' ? 1 : 0})`
        : `${DAYS[unit]}(${time})`;
    return `(toInt64(${date}) * ${DAY_MS})`;
  },
  part: ([of], [part, zone]) => `${PARTS[part]}(${zoned(of, zone)})`,
  move: ([of, steps], [unit, zone]) => {
    const fixed = FIXED_MS[unit];
    return fixed === undefined
      ? `toUnixTimestamp64Milli(${MOVES[unit]}(${zoned(of, zone)}, toInt64(${steps})))`
      : `(toInt64(${of}) + toInt64(${steps}) * ${fixed})`;
  },
  difference: ([from, to], [unit, zone]) =>
    `dateDiff('${unit}', ${zoned(from, zone)}, ${zoned(to, zone)}, '${zone}')`,
  timeOfDate: ([of], [zone]) =>
    `(toInt64(toUnixTimestamp(toDateTime(toDate(intDiv(toInt64(${of}), ${DAY_MS})), '${zone}'))) * 1000)`,
  timeOfText: ([of], [zone]) =>
    `if(ifNull(match(${of}, '${TIME_TEXT}'), 0), toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(${of}, 3, '${zone}')), NULL)`,
  formatTime: ([of, format], [zone]) =>
    `formatDateTime(${zoned(of, zone)}, ${format})`,
  element: ([list, index]) => `arrayElement(${list}, toInt64(${index}))`,
  has: plain('has'),
  size: plain('length'),
  bucket: ([of], _words, { args: [, ...starts] }) =>
    writeBucket(
      of,
      starts.map(start => (start.kind === 'value' ? Number(start.value) : NaN)),
    ),
  item: ([list, index], _words, { args }) =>
    kindOf(args[0]) === 'json'
      ? `tupleElement(${list}, ${placeOf(args[1], index) + 1})`
      : `arrayElement(${list}, ${placeOf(args[1], index) + 1})`,
  items: plain('length'),
  span: ([first, length]) =>
    `arrayMap(x -> toInt64(${first}) + toInt64(x), range(toUInt32(${length})))`,
});

function placeOf(index: Call['args'][number], written: string): number {
  if (index.kind !== 'value') {
    throw new Error(`Not a place: ${written}`);
  }
  return Math.trunc(Number(index.value));
}
