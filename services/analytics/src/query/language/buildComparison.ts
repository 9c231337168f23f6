import {
  asBoolean,
  asDate,
  asNumber,
  asText,
  asTime,
  nounOf,
  type Reading,
} from './coerce.ts';
import {
  call,
  type Expression,
  kindOf,
  type QueryExpression,
  type ValueExpression,
  valueOf,
} from './Expression.ts';
import type { FunctionName } from './functionNames.ts';

const NAMES: Readonly<Record<string, FunctionName>> = {
  '=': 'equals',
  '==': 'equals',
  '!=': 'notEquals',
  '<>': 'notEquals',
  '<': 'less',
  '<=': 'lessOrEquals',
  '>': 'greater',
  '>=': 'greaterOrEquals',
};

/**
 * Compares two expressions after converting them to one type. The result is never null:
 * a missing value equals nothing, differs from everything, and is neither smaller nor
 * larger.
 */
export function compare(
  sign: string,
  [left, right]: readonly [Expression, Expression],
  reading: Reading,
): Expression {
  const { reader } = reading;
  const name = NAMES[sign];
  const nothing = [left, right].find(each => kindOf(each) === 'null');
  if (nothing) {
    if (name !== 'equals' && name !== 'notEquals') {
      throw reader.faultBefore('cannot use <, <=, > or >= with null');
    }
    const other = nothing === left ? right : left;
    return call(name === 'equals' ? 'isNull' : 'isNotNull', [other], 'boolean');
  }
  return call(name, fit([left, right], reading), 'boolean');
}

/** Builds the condition that a value is one of several constants. */
export function isOneOf(
  left: Expression,
  values: readonly Expression[],
  { negated, parser }: { negated: boolean; parser: Reading },
): Expression {
  const { reader } = parser;
  const known = values.map(value => {
    if (value.kind !== 'value') {
      throw reader.faultBefore('needs values in the list: numbers or texts');
    }
    if (value.value === null) {
      throw reader.faultBefore('cannot have null in a list, use is null');
    }
    return value;
  });
  const isOfNumbers = known.every(({ of }) => of === 'number');
  const fitted =
    left.kind === 'property' && !isOfNumbers
      ? [asText(left, reader), ...known.map(plainText)]
      : fitAll(left, known, parser);
  return call(negated ? 'notIn' : 'in', fitted, 'boolean');
}

/** Builds the condition that a value is among the values of a query, which must have the same type. */
export function isAmong(
  left: Expression,
  query: QueryExpression,
  { negated, parser }: { negated: boolean; parser: Reading },
): Expression {
  const { reader } = parser;
  const of =
    left.kind === 'property' && query.of === 'number'
      ? asNumber(left, reader)
      : left;
  if (kindOf(of) !== query.of) {
    throw reader.faultBefore(
      `compares ${nounOf(kindOf(of))} with a subquery whose column is ${nounOf(query.of)}: use toString, toFloat or toDate`,
    );
  }
  return call(negated ? 'notIn' : 'in', [of, query], 'boolean');
}

function plainText(value: ValueExpression): ValueExpression {
  return value.of === 'boolean'
    ? valueOf(value.value === 1 ? 'true' : 'false')
    : valueOf(String(value.value));
}

function fitAll(
  left: Expression,
  values: readonly ValueExpression[],
  reading: Reading,
): Expression[] {
  const pairs = values.map(value => fit([left, value], reading));
  return [pairs[0][0], ...pairs.map(([, value]) => value)];
}

/** Converts two expressions to one type. */
function fit(
  [left, right]: readonly [Expression, Expression],
  reading: Reading,
): [Expression, Expression] {
  const { reader } = reading;
  for (const each of [left, right]) {
    if (kindOf(each) === 'json') {
      throw reader.faultBefore('cannot compare all properties at once');
    }
  }
  const kinds: readonly string[] = [left, right].map(each =>
    each.kind === 'property' ? 'property' : kindOf(each),
  );
  const has = (kind: string) => kinds.includes(kind);
  if (has('time') || (has('date') && has('text'))) {
    return both([left, right], each =>
      has('date') && !has('time')
        ? asDate(each, reading)
        : asTime(each, reading),
    );
  }
  if (has('date')) {
    return both([left, right], each => asDate(each, reading));
  }
  if (has('property')) {
    if (has('number')) {
      return both([left, right], each => asNumber(each, reader));
    }
    if (has('boolean')) {
      return [left, right].some(({ kind }) => kind === 'value')
        ? both([left, right], each =>
            each.kind === 'value' ? plainText(each) : asText(each, reader),
          )
        : both([left, right], each => asBoolean(each, reader));
    }
    return both([left, right], each => asText(each, reader));
  }
  if (kinds.every(kind => kind === 'number' || kind === 'boolean')) {
    return [left, right];
  }
  if (kinds[0] !== 'text' || kinds[1] !== 'text') {
    const [kind] = kinds;
    throw reader.faultBefore(`compares a ${kind} with another kind of value`);
  }
  return isUuid(left) || isUuid(right)
    ? both([left, right], each =>
        each.kind === 'value'
          ? valueOf(String(each.value).toLowerCase())
          : each,
      )
    : [left, right];
}

function both(
  [left, right]: readonly [Expression, Expression],
  change: (each: Expression) => Expression,
): [Expression, Expression] {
  return [change(left), change(right)];
}

function isUuid(expression: Expression): boolean {
  return expression.kind === 'column' && expression.name === 'uuid';
}
