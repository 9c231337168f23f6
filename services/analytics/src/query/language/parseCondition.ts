import { parseStorableInstant } from '../../events/AnalyticsEvent.ts';
import {
  type Comparison,
  type Condition,
  kindOf,
  type Operand,
  type RowExpression,
  type Value,
} from './EventsPlan.ts';
import { parseOperand } from './parseOperand.ts';
import { TokenReader } from './TokenReader.ts';

const DEEPEST = 20;
const MOST_VALUES = 1_000;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '==': '=',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

type Literal = string | number | boolean | null;

/**
 * Reads a condition, such as `properties.plan = 'pro' and not event like 'debug%'`.
 *
 * @param field - of the request, for errors.
 * @throws InvalidRequestError where it is none, or compares what does not compare.
 */
export function parseCondition(source: string, field: string): Condition {
  const reader = new TokenReader(source, field);
  const condition = parseAny(reader, 0);
  reader.expectEnd();
  return condition;
}

function parseAny(reader: TokenReader, depth: number): Condition {
  const all = [parseAll(reader, depth)];
  while (reader.takeWord('or')) {
    all.push(parseAll(reader, depth));
  }
  return all.length === 1 ? all[0] : { kind: 'or', all };
}

function parseAll(reader: TokenReader, depth: number): Condition {
  const all = [parseOne(reader, depth)];
  while (reader.takeWord('and')) {
    all.push(parseOne(reader, depth));
  }
  return all.length === 1 ? all[0] : { kind: 'and', all };
}

function parseOne(reader: TokenReader, depth: number): Condition {
  if (depth > DEEPEST) {
    throw reader.fault(`is nested deeper than ${DEEPEST}`);
  }
  if (reader.takeWord('not')) {
    return { kind: 'not', of: parseOne(reader, depth + 1) };
  }
  if (reader.takeSign('(')) {
    const inner = parseAny(reader, depth + 1);
    reader.expectSign(')');
    return inner;
  }
  return parseTest(reader, parseOperand(reader));
}

function parseTest(reader: TokenReader, left: Operand): Condition {
  if (kindOf(left) === 'json') {
    throw reader.fault('cannot compare all properties at once');
  }
  const sign = reader.takeSign(...Object.keys(COMPARISONS));
  if (sign) {
    return compare(reader, {
      left,
      operator: COMPARISONS[sign],
      literal: parseLiteral(reader),
    });
  }
  if (reader.takeWord('is')) {
    const negated = reader.takeWord('not');
    if (!reader.takeWord('null')) {
      throw reader.fault('needs null after is');
    }
    return { kind: 'absent', left, negated };
  }
  const negated = reader.takeWord('not');
  if (reader.takeWord('in')) {
    return parseIn(reader, { left, negated });
  }
  for (const word of ['like', 'ilike']) {
    if (reader.takeWord(word)) {
      return parseLike(reader, { left, negated, caseless: word === 'ilike' });
    }
  }
  throw reader.fault(
    'needs a comparison: =, !=, <, <=, >, >=, in, like, ilike, is null',
  );
}

function compare(
  reader: TokenReader,
  parts: { left: Operand; operator: Comparison; literal: Literal },
): Condition {
  const { left, operator, literal } = parts;
  if (literal === null) {
    if (operator !== '=' && operator !== '!=') {
      throw reader.fault('cannot use <, <=, > or >= with null');
    }
    return { kind: 'absent', left, negated: operator === '!=' };
  }
  return {
    kind: 'compare',
    operator,
    ...fit(reader, left, literal),
  };
}

function parseIn(
  reader: TokenReader,
  { left, negated }: { left: Operand; negated: boolean },
): Condition {
  reader.expectSign('(');
  const literals = [parseLiteral(reader)];
  while (reader.takeSign(',')) {
    literals.push(parseLiteral(reader));
    if (literals.length > MOST_VALUES) {
      throw reader.fault(`compares with more than ${MOST_VALUES} values`);
    }
  }
  reader.expectSign(')');
  const fitted = literals.map(literal => {
    if (literal === null) {
      throw reader.fault('cannot have null in a list, use is null');
    }
    return fit(reader, left, literal);
  });
  if (fitted.some(each => each.left.kind !== fitted[0].left.kind)) {
    throw reader.fault('mixes numbers and strings in a list');
  }
  return {
    kind: 'in',
    left: fitted[0].left,
    values: fitted.map(({ right }) => right),
    negated,
  };
}

function parseLike(
  reader: TokenReader,
  parts: { left: Operand; negated: boolean; caseless: boolean },
): Condition {
  const { left, ...rest } = parts;
  const pattern = parseLiteral(reader);
  if (left.kind === 'aggregate' || kindOf(left) !== 'text') {
    throw reader.faultBefore('can use like and ilike with strings only');
  }
  if (typeof pattern !== 'string') {
    throw reader.faultBefore('needs a pattern in quotes');
  }
  if (/^(?:[^\\]|\\.)*\\$/su.test(pattern)) {
    throw reader.faultBefore('has a pattern that ends with a backslash');
  }
  const text: RowExpression = left;
  return { kind: 'like', left: text, pattern, ...rest };
}

/** Brings a value and what it is compared with to one kind. */
function fit(
  reader: TokenReader,
  left: Operand,
  literal: string | number | boolean,
): { left: Operand; right: Value } {
  if (left.kind === 'property') {
    return typeof literal === 'number'
      ? { left: { kind: 'number', name: left.name }, right: literal }
      : { left, right: String(literal) };
  }
  const kind = kindOf(left);
  if (kind === 'time') {
    const instant =
      typeof literal === 'string' ? parseStorableInstant(literal) : undefined;
    if (instant === undefined) {
      throw reader.faultBefore(
        'compares a time with something that is not a time',
      );
    }
    return { left, right: instant };
  }
  if (
    kind === 'number'
      ? typeof literal !== 'number'
      : typeof literal !== 'string'
  ) {
    throw reader.faultBefore(`compares a ${kind} with another kind of value`);
  }
  const isUuid = left.kind === 'column' && left.name === 'uuid';
  return {
    left,
    right: isUuid ? String(literal).toLowerCase() : (literal as Value),
  };
}

function parseLiteral(reader: TokenReader): Literal {
  const negative = reader.takeSign('-') !== undefined;
  const token = reader.next();
  if (token?.kind === 'number') {
    const value = negative ? -token.value : token.value;
    if (!Number.isFinite(value)) {
      throw reader.faultBefore('contains a number that is too large');
    }
    return value;
  }
  if (!negative && token?.kind === 'text') {
    return token.text;
  }
  if (!negative && token?.kind === 'word') {
    const word = token.text.toLowerCase();
    if (word === 'null') {
      return null;
    }
    if (word === 'true' || word === 'false') {
      return word === 'true';
    }
  }
  throw reader.faultBefore(
    "needs a value: a number, a 'text', true, false or null",
  );
}
