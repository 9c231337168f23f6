import { readMoment } from '../time/moments.ts';
import { type Calendar, dateOf, instantOf } from '../time/zones.ts';
import {
  call,
  equals,
  type Expression,
  kindOf,
  type QueryExpression,
  valueOf,
} from './Expression.ts';
import type { TokenReader } from './TokenReader.ts';

/** What the names in an expression refer to, and how its times are interpreted. */
export interface Scope {
  readonly calendar: Calendar;
  /** The time of the query, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Resolves a name other than a column of events; undefined if it is unknown. */
  readonly named?: (name: string) => Expression | undefined;
  /** Columns of the subquery that the query reads; undefined if it reads events. */
  readonly fields?: ReadonlyMap<string, Expression>;
  /** The values of placeholders such as `{name}`. */
  readonly placeholders?: ReadonlyMap<string, Expression>;
  /** The project's group types, which are also names in expressions: `company.properties.plan`. */
  readonly groupTypes?: readonly string[];
  /** Parses the subquery after IN; undefined if a list of values follows instead. */
  readonly list?: () => QueryExpression | undefined;
  /** Returns a cohort by its id, as the condition that an event belongs to a person in it. */
  readonly cohorts?: (
    id: string,
  ) => { readonly condition: Expression } | undefined;
  /** Table names that may precede a column, before a dot. */
  readonly tables?: readonly string[];
}

/** An expression that is being parsed: its tokens, which errors refer to, and its names. */
export interface Reading {
  readonly reader: TokenReader;
  readonly scope: Scope;
}

/** Checks whether an expression is null, which is compatible with every type. */
function isNull(expression: Expression): boolean {
  return kindOf(expression) === 'null';
}

/**
 * Converts an expression to text.
 * @throws InvalidRequestError for JSON objects and arrays.
 */
export function asText<E extends Expression>(
  expression: E,
  reader: TokenReader,
): E;
export function asText(
  expression: Expression,
  reader: TokenReader,
): Expression {
  const kind = kindOf(expression);
  if (kind === 'text' || isNull(expression)) {
    return expression;
  }
  if (expression.kind === 'property') {
    return { ...expression, as: 'text' };
  }
  if (kind === 'json' || kind === 'texts' || kind === 'numbers') {
    throw reader.faultBefore(`uses ${nounOf(kind)} as a string`);
  }
  return call('toText', [expression], 'text', [kind]);
}

/**
 * Converts a property to a number; text that is not a number becomes null. Numbers, booleans
 * and null stay as they are.
 * @throws InvalidRequestError for other types.
 */
export function asNumber(
  expression: Expression,
  reader: TokenReader,
): Expression {
  if (expression.kind === 'property') {
    return { ...expression, as: 'number' };
  }
  const kind = kindOf(expression);
  if (kind === 'number' || kind === 'boolean' || isNull(expression)) {
    return expression;
  }
  throw reader.faultBefore(
    `computes with ${nounOf(kind)}: use toFloat(…), or dateDiff(…) for times`,
  );
}

/**
 * Converts an expression to a boolean: a property is true if it equals `true`, and a number
 * if it is not 0.
 * @throws InvalidRequestError for other types.
 */
export function asBoolean(
  expression: Expression,
  reader: TokenReader,
): Expression {
  if (expression.kind === 'property') {
    return equals(expression, 'true');
  }
  switch (kindOf(expression)) {
    case 'boolean':
    case 'null':
      return expression;
    case 'number':
      return call('notEquals', [expression, valueOf(0)], 'boolean');
    default:
      throw reader.faultBefore(
        'needs a comparison: =, !=, <, <=, >, >=, in, like, ilike, between, is null',
      );
  }
}

/**
 * Converts an expression to a time. Text is interpreted in the project's time zone.
 * @throws InvalidRequestError for other types, and for constant text that is not a time.
 */
export function asTime(
  expression: Expression,
  { reader, scope }: Reading,
): Expression {
  const { zone } = scope.calendar;
  switch (kindOf(expression)) {
    case 'time':
    case 'null':
      return expression;
    case 'date':
      return expression.kind === 'value'
        ? valueOf(instantOf(zone, Number(expression.value)), 'time')
        : call('timeOfDate', [expression], 'time', [zone]);
    case 'text':
      if (expression.kind === 'value') {
        const moment = readMoment(String(expression.value), zone);
        if (moment === undefined) {
          throw reader.faultBefore(
            'compares a time with something that is not a time',
          );
        }
        return valueOf(moment, 'time');
      }
      return call('timeOfText', [expression], 'time', [zone]);
    default:
      throw reader.faultBefore(
        `uses ${nounOf(kindOf(expression))} as a time: use toDateTime(…)`,
      );
  }
}

/**
 * Converts an expression to a date: of a time, the day in its own zone or the project's.
 * @throws InvalidRequestError for other types.
 */
export function asDate(expression: Expression, reading: Reading): Expression {
  const { reader, scope } = reading;
  const { zone, weekStart } = scope.calendar;
  switch (kindOf(expression)) {
    case 'date':
    case 'null':
      return expression;
    case 'time':
    case 'text': {
      const time = asTime(expression, reading);
      const own = zoneOf(expression) ?? zone;
      return time.kind === 'value'
        ? valueOf(
            dateOf(Number(time.value), 'day', { zone: own, weekStart }),
            'date',
          )
        : call('dateOf', [time], 'date', ['day', own, String(weekStart)]);
    }
    default:
      throw reader.faultBefore(
        `uses ${nounOf(kindOf(expression))} as a date: use toDate(…)`,
      );
  }
}

/** Returns the zone that a time was converted to; undefined for the project's zone. */
export function zoneOf(expression: Expression): string | undefined {
  return expression.kind === 'call' && expression.function === 'inZone'
    ? expression.words![0]
    : undefined;
}

/** Returns the name of a type with its article, for messages: `a string`. */
export function nounOf(kind: string): string {
  switch (kind) {
    case 'json':
      return 'all properties at once';
    case 'texts':
    case 'numbers':
      return 'an array';
    default:
      return `a ${kind === 'text' ? 'string' : kind}`;
  }
}

/**
 * Converts alternative expressions, such as the branches of a condition, to one type:
 * their common one, numbers for booleans and numbers, times for dates and times, and
 * otherwise text.
 */
export function unify(
  expressions: readonly Expression[],
  reading: Reading,
): Expression[] {
  const kinds = new Set(
    expressions
      .filter(each => each.kind !== 'property')
      .map(kindOf)
      .filter(kind => kind !== 'null'),
  );
  const { reader } = reading;
  if (kinds.size === 1) {
    const [kind] = kinds;
    switch (kind) {
      case 'number':
        return expressions.map(each => asNumber(each, reader));
      case 'boolean':
        return expressions.map(each => asBoolean(each, reader));
      case 'time':
        return expressions.map(each => asTime(each, reading));
      case 'date':
        return expressions.map(each => asDate(each, reading));
      case 'text':
        return expressions.map(each => asText(each, reader));
      default:
        return [...expressions];
    }
  }
  if ([...kinds].every(kind => kind === 'number' || kind === 'boolean')) {
    return kinds.size === 0
      ? [...expressions]
      : expressions.map(each => asNumber(each, reader));
  }
  if ([...kinds].every(kind => kind === 'time' || kind === 'date')) {
    return expressions.map(each => asTime(each, reading));
  }
  return expressions.map(each => asText(each, reader));
}
