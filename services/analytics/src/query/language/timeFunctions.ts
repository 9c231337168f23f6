import { dateOf, isZone, startOf, type Unit } from '../time/zones.ts';
import { asDate, asNumber, asTime, type Reading, zoneOf } from './coerce.ts';
import { call, type Expression, kindOf, valueOf } from './Expression.ts';
import { intervalUnit, moveBy } from './intervals.ts';
import { type Builder, define, type Definition } from './defineFunction.ts';

/** Format specifiers that both engines support in the same way. */
const FORMAT = /^(?:[^%]|%[YmdHiSFTyju%])*$/u;

function constantText(expression: Expression, reading: Reading): string {
  if (expression.kind !== 'value' || typeof expression.value !== 'string') {
    throw reading.reader.faultBefore('needs a text in quotes as this argument');
  }
  return expression.value;
}

function zoneNamed(expression: Expression, reading: Reading): string {
  const zone = constantText(expression, reading);
  if (!isZone(zone)) {
    throw reading.reader.faultBefore(
      `names an unknown time zone, '${zone.slice(0, 40)}': use one such as 'Europe/Zurich'`,
    );
  }
  return zone;
}

/** Returns the calendar for truncating a time, in its own zone or the project's; dates have none. */
function calendarOf(of: Expression, { scope }: Reading) {
  const { calendar } = scope;
  return kindOf(of) === 'date'
    ? { ...calendar, zone: 'UTC' }
    : { ...calendar, zone: zoneOf(of) ?? calendar.zone };
}

/** Converts a time to the zone named by an argument. */
function inZone(
  of: Expression,
  zone: Expression | undefined,
  reading: Reading,
) {
  const time = kindOf(of) === 'date' ? of : asTime(of, reading);
  return zone
    ? call('inZone', [asTime(time, reading)], 'time', [
        zoneNamed(zone, reading),
      ])
    : time;
}

function cut(of: Expression, unit: Unit, reading: Reading): Expression {
  const calendar = calendarOf(of, reading);
  if (kindOf(of) === 'null') {
    return of;
  }
  if (of.kind === 'value') {
    return valueOf(startOf(Number(of.value), unit, calendar), 'time');
  }
  const { zone, weekStart } = calendar;
  const start = call('startOf', [of], 'time', [unit, zone, String(weekStart)]);
  return zoneOf(of) ? call('inZone', [start], 'time', [zone]) : start;
}

function dayOf(
  of: Expression,
  unit: Unit,
  reading: Reading,
  firstDay?: 0 | 1,
): Expression {
  const { zone, weekStart } = calendarOf(of, reading);
  const calendar = { zone, weekStart: firstDay ?? weekStart };
  if (kindOf(of) === 'null') {
    return of;
  }
  return of.kind === 'value'
    ? valueOf(dateOf(Number(of.value), unit, calendar), 'date')
    : call('dateOf', [of], 'date', [unit, zone, String(calendar.weekStart)]);
}

const toStart = (unit: Unit): Definition =>
  define(1, 2, ([of, zone], reading) =>
    cut(asTime(inZone(of, zone, reading), reading), unit, reading),
  );

const toDay = (unit: Unit, firstDay?: 0 | 1): Definition =>
  define(1, 2, ([of, zone], reading) =>
    dayOf(inZone(of, zone, reading), unit, reading, firstDay),
  );

const partOf = (part: string): Definition =>
  define(1, 2, ([of, zone], reading) => {
    const time = inZone(of, zone, reading);
    return call('part', [time], 'number', [
      part,
      calendarOf(time, reading).zone,
    ]);
  });

const moved = (unit: Unit, isMinus: boolean): Definition =>
  define(2, 2, ([of, count], reading) =>
    moveBy(
      kindOf(of) === 'date' ? of : asTime(of, reading),
      { kind: 'interval', count: asNumber(count, reading.reader), unit },
      { isMinus, parser: reading },
    ),
  );

const movedBy = (isMinus: boolean): Definition =>
  define(3, 3, ([unit, count, of], reading) =>
    moveBy(
      kindOf(of) === 'date' ? of : asTime(of, reading),
      {
        kind: 'interval',
        count: asNumber(count, reading.reader),
        unit: intervalUnit(constantText(unit, reading), reading.reader),
      },
      { isMinus, parser: reading },
    ),
  );

/**
 * Adds to or subtracts from a time or date: as in ClickHouse, `timestamp + 60` adds seconds
 * and `today() - 7` subtracts days.
 */
const shifted = (isMinus: boolean): Definition =>
  define(2, 2, ([of, count], reading) => {
    if (['time', 'date'].includes(kindOf(count))) {
      throw reading.reader.faultBefore(
        "subtracts times: use dateDiff('second', from, to)",
      );
    }
    return moveBy(
      of,
      {
        kind: 'interval',
        count: asNumber(count, reading.reader),
        unit: kindOf(of) === 'date' ? 'day' : 'second',
      },
      { isMinus, parser: reading },
    );
  });

const between: Builder = ([unit, from, to], reading) => {
  const { reader } = reading;
  const name = intervalUnit(constantText(unit, reading), reader);
  const zone = zoneOf(from) ?? reading.scope.calendar.zone;
  return call(
    'difference',
    [asTime(from, reading), asTime(to, reading)],
    'number',
    [name, zone],
  );
};

const truncated: Builder = ([unit, of, zone], reading) => {
  const name = intervalUnit(constantText(unit, reading), reading.reader);
  const time = inZone(of, zone, reading);
  return ['second', 'minute', 'hour', 'day'].includes(name)
    ? cut(asTime(time, reading), name, reading)
    : dayOf(time, name, reading);
};

const formatted: Builder = ([of, format, zone], reading) => {
  const written = constantText(format, reading);
  if (!FORMAT.test(written) || written.length > 100) {
    throw reading.reader.faultBefore(
      'has a format with more than %Y %m %d %H %i %S %F %T %y %j %u',
    );
  }
  const time = inZone(of, zone, reading);
  return call('formatTime', [time, valueOf(written)], 'text', [
    calendarOf(time, reading).zone,
  ]);
};

const toTime: Builder = ([of, zone], reading) => {
  const { reader } = reading;
  if (kindOf(of) === 'number' && of.kind !== 'property') {
    const milliseconds = call('multiply', [of, valueOf(1_000)], 'number');
    return of.kind === 'value'
      ? valueOf(Number(of.value) * 1_000, 'time')
      : call('coalesce', [milliseconds], 'time');
  }
  if (zone && of.kind === 'value' && kindOf(of) === 'text') {
    const { scope } = reading;
    const own = {
      zone: zoneNamed(zone, reading),
      weekStart: scope.calendar.weekStart,
    };
    return asTime(of, { reader, scope: { ...scope, calendar: own } });
  }
  return asTime(inZone(of, zone, reading), reading);
};

const MOVES = [
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
] as const;

/** Functions of times, by their lower-case names. */
export const TIME_FUNCTIONS: ReadonlyMap<string, Definition> = new Map([
  ['now', define(0, 1, (_args, { scope }) => valueOf(scope.now, 'time'))],
  [
    'today',
    define(0, 0, (_args, reading) =>
      asDate(valueOf(reading.scope.now, 'time'), reading),
    ),
  ],
  [
    'yesterday',
    define(0, 0, (_args, reading) =>
      moveBy(
        asDate(valueOf(reading.scope.now, 'time'), reading),
        { kind: 'interval', count: valueOf(1), unit: 'day' },
        { isMinus: true, parser: reading },
      ),
    ),
  ],
  [
    'todate',
    define(1, 2, ([of, zone], reading) =>
      asDate(inZone(of, zone, reading), reading),
    ),
  ],
  ['date', define(1, 1, ([of], reading) => asDate(of, reading))],
  ['todatetime', define(1, 2, toTime)],
  ['todatetime64', define(1, 2, ([of], reading) => toTime([of], reading))],
  ['parsedatetimebesteffort', define(1, 2, toTime)],
  [
    'totimezone',
    define(2, 2, ([of, zone], reading) =>
      inZone(asTime(of, reading), zone, reading),
    ),
  ],
  ['tostartofsecond', toStart('second')],
  ['tostartofminute', toStart('minute')],
  ['tostartoffiveminutes', toStart('fiveMinutes')],
  ['tostartoftenminutes', toStart('tenMinutes')],
  ['tostartoffifteenminutes', toStart('fifteenMinutes')],
  ['tostartofhour', toStart('hour')],
  ['tostartofday', toStart('day')],
  [
    'tostartofweek',
    define(1, 3, ([of, mode, zone], reading) => {
      const isMode = mode?.kind === 'value' && typeof mode.value === 'number';
      if (isMode && ![0, 1, 2, 3].includes(Number(mode.value))) {
        throw reading.reader.faultBefore(
          'needs a mode of 0 for weeks from Sunday, or 1 from Monday',
        );
      }
      const named = isMode ? zone : mode;
      const firstDay = isMode ? ((Number(mode.value) % 2) as 0 | 1) : undefined;
      return dayOf(inZone(of, named, reading), 'week', reading, firstDay);
    }),
  ],
  ['tomonday', toDay('week', 1)],
  ['tostartofmonth', toDay('month')],
  ['tostartofquarter', toDay('quarter')],
  ['tostartofyear', toDay('year')],
  ['datetrunc', define(2, 3, truncated)],
  ['date_trunc', define(2, 3, truncated)],
  ['toyear', partOf('year')],
  ['toquarter', partOf('quarter')],
  ['tomonth', partOf('month')],
  ['toisoweek', partOf('isoWeek')],
  ['todayofmonth', partOf('day')],
  ['todayofweek', partOf('weekday')],
  ['todayofyear', partOf('dayOfYear')],
  ['tohour', partOf('hour')],
  ['tominute', partOf('minute')],
  ['tosecond', partOf('second')],
  ['toyyyymm', partOf('yearMonth')],
  ['toyyyymmdd', partOf('yearMonthDay')],
  [
    'tounixtimestamp',
    define(1, 1, ([of], reading) => {
      const time = asTime(of, reading);
      return call(
        'floor',
        [
          call(
            'divide',
            [call('coalesce', [time], 'number'), valueOf(1_000)],
            'number',
          ),
        ],
        'number',
      );
    }),
  ],
  ...MOVES.flatMap(unit => {
    const name = `${unit}s`;
    return [
      [`add${name}`, moved(unit, false)],
      [`subtract${name}`, moved(unit, true)],
    ] as const;
  }),
  ['dateadd', movedBy(false)],
  ['date_add', movedBy(false)],
  ['datesub', movedBy(true)],
  ['date_sub', movedBy(true)],
  ['plustime', shifted(false)],
  ['minustime', shifted(true)],
  ['datediff', define(3, 3, between)],
  ['date_diff', define(3, 3, between)],
  ['formatdatetime', define(2, 3, formatted)],
]);
