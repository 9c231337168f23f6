import { buildCall, requireFunction } from './buildCall.ts';
import { asBoolean, asNumber, type Scope } from './coerce.ts';
import {
  type Aggregate,
  COUNT,
  type Expression,
  isAggregated,
  type Kind,
  kindOf,
  valueOf,
} from './Expression.ts';
import type { AggregateName } from './functionNames.ts';
import { type Interval, intervalUnit, parseInterval } from './intervals.ts';
import type { TokenReader } from './TokenReader.ts';

/** The interface of the expression parser for its parts. */
export interface Parser {
  readonly reader: TokenReader;
  readonly scope: Scope;
  /** Parses one expression. */
  expression(): Expression;
  /** Parses expressions separated by commas, including the closing symbol. */
  listed(end: string): Expression[];
  /** Parses a number with its sign. */
  number(): Expression;
}

interface Named {
  readonly function: AggregateName;
  readonly level?: number;
}

/**
 * Aggregates by their lower-case names; each also exists with the suffix `If` and a
 * condition as its last argument.
 */
const AGGREGATES: ReadonlyMap<string, Named> = new Map<string, Named>([
  ['count', { function: 'count' }],
  ['uniq', { function: 'countDistinct' }],
  ['uniqexact', { function: 'countDistinct' }],
  ['countdistinct', { function: 'countDistinct' }],
  ['sum', { function: 'sum' }],
  ['avg', { function: 'avg' }],
  ['min', { function: 'min' }],
  ['max', { function: 'max' }],
  // Any value would do; the minimum is always the same one.
  ['any', { function: 'min' }],
  ['anylast', { function: 'max' }],
  ['median', { function: 'quantile', level: 0.5 }],
  ['quantile', { function: 'quantile', level: 0.5 }],
  ['quantileexact', { function: 'quantile', level: 0.5 }],
  ['argmin', { function: 'argMin' }],
  ['argmax', { function: 'argMax' }],
  ['grouparray', { function: 'groupArray' }],
  ['groupuniqarray', { function: 'groupUniqArray' }],
]);

/** Parses what follows a name and an opening bracket. */
export function parseCallee(
  name: string,
  parser: Parser,
): Expression | Interval {
  const { reader } = parser;
  const key = name.toLowerCase();
  if (key === 'cast') {
    return parseCastCall(parser);
  }
  if (key === 'tostartofinterval') {
    return parseStartOfInterval(parser);
  }
  const unit = /^tointerval(\w+)$/.exec(key)?.[1];
  if (unit !== undefined) {
    const args = parser.listed(')');
    if (args.length !== 1) {
      throw reader.faultBefore(
        `calls ${name} with ${args.length} arguments instead of 1`,
      );
    }
    return {
      kind: 'interval',
      count: asNumber(args[0], reader),
      unit: intervalUnit(unit, reader),
    };
  }
  const named = AGGREGATES.get(key);
  if (named) {
    return parseAggregate(name, named, { parser, hasCondition: false });
  }
  const conditional = key.endsWith('if')
    ? AGGREGATES.get(key.slice(0, -2))
    : undefined;
  if (conditional) {
    return parseAggregate(name, conditional, { parser, hasCondition: true });
  }
  requireFunction(name, reader);
  return buildCall(name, parser.listed(')'), parser);
}

/** The functions that truncate times to lengths other than one unit. */
const STARTS: ReadonlyMap<string, string> = new Map([
  ['5 minute', 'toStartOfFiveMinutes'],
  ['10 minute', 'toStartOfTenMinutes'],
  ['15 minute', 'toStartOfFifteenMinutes'],
]);

/** Parses `toStartOfInterval(timestamp, INTERVAL 15 MINUTE)`. */
function parseStartOfInterval(parser: Parser): Expression {
  const { reader } = parser;
  const of = parser.expression();
  reader.expectSign(',');
  reader.expectKeyword('interval');
  const { count, unit } = parseInterval(parser);
  const zone = reader.takeSign(',') ? [parser.expression()] : [];
  reader.expectSign(')');
  const length = count.kind === 'value' ? Number(count.value) : Number.NaN;
  if (length === 1) {
    return buildCall('dateTrunc', [valueOf(unit), of, ...zone], parser);
  }
  const name = STARTS.get(`${length} ${unit}`);
  if (!name) {
    throw reader.faultBefore(
      'needs an interval of one unit, or of 5, 10 or 15 minutes',
    );
  }
  return buildCall(name, [of, ...zone], parser);
}

function parseAggregate(
  name: string,
  { function: of, level }: Named,
  options: { parser: Parser; hasCondition: boolean },
): Aggregate {
  const { parser, hasCondition } = options;
  const { reader } = parser;
  let ownLevel = level;
  if (of === 'count' && reader.takeSign('*')) {
    reader.expectSign(')');
    return COUNT;
  }
  const isDistinct = of === 'count' && reader.takeWord('distinct');
  let args = parser.listed(')');
  if (of === 'quantile' && reader.takeSign('(')) {
    const [first] = args;
    ownLevel = first?.kind === 'value' ? Number(first.value) : Number.NaN;
    args = parser.listed(')');
  }
  if (of === 'quantile' && !(ownLevel! >= 0 && ownLevel! <= 1)) {
    throw reader.faultBefore(
      'needs a level between 0 and 1, as in quantile(0.9)(x)',
    );
  }
  const when = hasCondition ? args.pop() : undefined;
  if (hasCondition && !when) {
    throw reader.faultBefore(`needs a condition in ${name}`);
  }
  if ([...args, ...(when ? [when] : [])].some(isAggregated)) {
    throw reader.fault('nests an aggregate in an aggregate');
  }
  if (args.some(arg => kindOf(arg) === 'json')) {
    throw reader.fault('cannot aggregate all properties at once');
  }
  const expected = of === 'argMin' || of === 'argMax' ? 2 : 1;
  if (args.length !== expected && !(of === 'count' && args.length === 0)) {
    throw args.length === 0
      ? reader.faultBefore('needs a name or a value')
      : reader.faultBefore(`calls ${name} with ${args.length} arguments`);
  }
  return {
    kind: 'aggregate',
    ...fit(isDistinct ? 'countDistinct' : of, args, parser),
    ...(ownLevel !== undefined && { level: ownLevel }),
    ...(when && { when: asBoolean(when, reader) }),
  };
}

/** Converts arguments to numbers where the function computes with them. */
function fit(
  name: AggregateName,
  args: readonly Expression[],
  { reader }: Parser,
): { function: AggregateName; args: readonly Expression[]; of: Kind } {
  const [first] = args;
  switch (name) {
    case 'sum':
    case 'avg':
    case 'quantile':
      return {
        function: name,
        args: [asNumber(first, reader)],
        of: 'number',
      };
    case 'min':
    case 'max': {
      const of = first.kind === 'property' ? asNumber(first, reader) : first;
      return { function: name, args: [of], of: kindOf(of) };
    }
    case 'argMin':
    case 'argMax': {
      const by =
        args[1].kind === 'property' ? asNumber(args[1], reader) : args[1];
      return { function: name, args: [first, by], of: kindOf(first) };
    }
    case 'groupArray':
    case 'groupUniqArray':
      return {
        function: name,
        args,
        of: kindOf(first) === 'text' ? 'texts' : 'numbers',
      };
    default:
      return { function: name, args, of: 'number' };
  }
}

const CASTS: ReadonlyMap<string, string> = new Map([
  ['string', 'toString'],
  ['varchar', 'toString'],
  ['text', 'toString'],
  ['float', 'toFloat'],
  ['float64', 'toFloat'],
  ['double', 'toFloat'],
  ['numeric', 'toFloat'],
  ['int', 'toInt'],
  ['int64', 'toInt'],
  ['integer', 'toInt'],
  ['bigint', 'toInt'],
  ['date', 'toDate'],
  ['datetime', 'toDateTime'],
  ['timestamp', 'toDateTime'],
  ['bool', 'toBool'],
  ['boolean', 'toBool'],
]);

/** Parses the type after `::`. */
export function parseCast(of: Expression, parser: Parser): Expression {
  const { reader } = parser;
  const type = reader.expectWord();
  const name = CASTS.get(type.toLowerCase());
  if (!name) {
    throw reader.faultBefore(
      `casts to '${type}': use String, Float, Int, Date, DateTime or Bool`,
    );
  }
  return buildCall(name, [of], parser);
}

/** Parses `CAST(x AS String)` and `CAST(x, 'String')`. */
function parseCastCall(parser: Parser): Expression {
  const { reader } = parser;
  const of = parser.expression();
  if (reader.takeSign(',')) {
    const type = reader.next();
    const name =
      type?.kind === 'text' ? CASTS.get(type.text.toLowerCase()) : undefined;
    if (!name) {
      throw reader.faultBefore(
        'needs a type: String, Float, Int, Date, DateTime or Bool',
      );
    }
    reader.expectSign(')');
    return buildCall(name, [of], parser);
  }
  reader.expectKeyword('as');
  const cast = parseCast(of, parser);
  reader.expectSign(')');
  return cast;
}
