import type { Unit } from '../time/zones.ts';
import { isTime, move, UNITS } from '../time/zones.ts';
import { asNumber, asTime, type Reading, zoneOf } from './coerce.ts';
import { call, type Expression, kindOf, valueOf } from './Expression.ts';
import type { TokenReader } from './TokenReader.ts';

/** A length of time, which can only be added to or subtracted from a time. */
export interface Interval {
  readonly kind: 'interval';
  readonly count: Expression;
  readonly unit: Unit;
}

const SHORT: Readonly<Record<string, Unit>> = {
  s: 'second',
  mi: 'minute',
  n: 'minute',
  h: 'hour',
  hh: 'hour',
  d: 'day',
  dd: 'day',
  w: 'week',
  wk: 'week',
  m: 'month',
  mm: 'month',
  q: 'quarter',
  y: 'year',
  yy: 'year',
};

/** Parses the name of a unit: `day`, `days` and `dd` are days. */
export function intervalUnit(name: string, reader: TokenReader): Unit {
  const word = name.toLowerCase();
  const unit = UNITS.find(
    each => each === word || `${each}s` === word || SHORT[word] === each,
  );
  if (!unit || /[A-Z]/.test(unit)) {
    throw reader.faultBefore(
      'needs a unit: second, minute, hour, day, week, month, quarter or year',
    );
  }
  return unit;
}

/** The parts of a parser that an interval needs. */
interface NumberParser {
  readonly reader: TokenReader;
  /** Parses a number with its sign. */
  number(): Expression;
}

/** Parses what follows INTERVAL: `7 day`, `'7 day'` or `'7' day`. */
export function parseInterval(parser: NumberParser): Interval {
  const { reader } = parser;
  const token = reader.peek();
  if (token?.kind === 'text') {
    reader.next();
    const [, count, unit] = /^\s*(-?\d+)\s+(\w+)\s*$/.exec(token.text) ?? [];
    if (unit !== undefined) {
      return {
        kind: 'interval',
        count: valueOf(Number(count)),
        unit: intervalUnit(unit, reader),
      };
    }
    return {
      kind: 'interval',
      count: asNumber(valueOf(token.text), reader),
      unit: intervalUnit(reader.expectWord(), reader),
    };
  }
  const count = parser.number();
  return {
    kind: 'interval',
    count,
    unit: intervalUnit(reader.expectWord(), reader),
  };
}

const DAYS: ReadonlySet<Unit> = new Set([
  'day',
  'week',
  'month',
  'quarter',
  'year',
]);

/**
 * Moves a time or date forwards or backwards by a number of units. Constants are computed
 * immediately.
 */
export function moveBy(
  of: Expression,
  { count, unit }: Interval,
  { isMinus, parser }: { isMinus: boolean; parser: Reading },
): Expression {
  const steps = isMinus ? negated(count) : count;
  const isDate = kindOf(of) === 'date' && DAYS.has(unit);
  const time = isDate ? of : asTime(of, parser);
  const zone = isDate ? 'UTC' : (zoneOf(of) ?? parser.scope.calendar.zone);
  const kind = isDate ? 'date' : 'time';
  if (kindOf(time) === 'null' || kindOf(steps) === 'null') {
    return valueOf(null);
  }
  if (time.kind === 'value' && steps.kind === 'value') {
    const moved = move(Number(time.value), unit, {
      steps: Math.trunc(Number(steps.value)),
      zone,
    });
    if (!isTime(moved)) {
      throw parser.reader.faultBefore('moves a time beyond all dates');
    }
    return valueOf(moved, kind);
  }
  const moved = call('move', [time, steps], kind, [unit, zone]);
  return zoneOf(of) ? call('inZone', [moved], 'time', [zone]) : moved;
}

function negated(count: Expression): Expression {
  return count.kind === 'value'
    ? valueOf(-Number(count.value))
    : call('negate', [count], 'number');
}
