import {
  type Aggregate,
  type ColumnName,
  COLUMNS,
  type Expression,
  isInstant,
  kindOf,
  type Operand,
  type Ordering,
  type RowExpression,
  type Selection,
  type TimeUnit,
} from './EventsPlan.ts';
import { TokenReader } from './TokenReader.ts';

const TRUNCATIONS: ReadonlyMap<string, { unit: TimeUnit; asDate: boolean }> =
  new Map([
    ['todate', { unit: 'day', asDate: true }],
    ['tostartofhour', { unit: 'hour', asDate: false }],
    ['tostartofday', { unit: 'day', asDate: false }],
    ['tostartofweek', { unit: 'week', asDate: true }],
    ['tostartofmonth', { unit: 'month', asDate: true }],
  ]);

const LONGEST_NAME = 400;

/** Reads a column, a property, a function of time or an aggregate. */
export function parseOperand(reader: TokenReader): Operand {
  const called = reader.peek(1);
  if (called?.kind === 'sign' && called.text === '(') {
    return parseCall(reader);
  }
  return parseRowExpression(reader);
}

function parseRowExpression(reader: TokenReader): RowExpression {
  const name = reader.expectWord();
  if (name === 'properties') {
    const property = parsePropertyName(reader);
    if (property !== undefined) {
      return { kind: 'property', name: property };
    }
  }
  if (!isColumn(name)) {
    throw reader.faultBefore(
      `names '${name}', which is not one of ${COLUMNS.join(
        ', ',
      )}, properties.<name>`,
    );
  }
  return { kind: 'column', name };
}

/** `.name` or `['any name']`. */
function parsePropertyName(reader: TokenReader): string | undefined {
  if (reader.takeSign('.')) {
    return checkedName(reader, reader.expectWord());
  }
  if (reader.takeSign('[')) {
    const token = reader.next();
    if (token?.kind !== 'text') {
      throw reader.faultBefore("needs the property's name in quotes");
    }
    reader.expectSign(']');
    return checkedName(reader, token.text);
  }
  return undefined;
}

function checkedName(reader: TokenReader, name: string): string {
  if (name === '' || name.length > LONGEST_NAME) {
    throw reader.fault(
      `needs a property's name of 1 to ${LONGEST_NAME} characters`,
    );
  }
  return name;
}

function parseCall(reader: TokenReader): Operand {
  const name = reader.expectWord();
  reader.expectSign('(');
  const truncation = TRUNCATIONS.get(name.toLowerCase());
  const parsed = truncation
    ? parseTruncated(reader, truncation)
    : parseAggregate(reader, name);
  reader.expectSign(')');
  return parsed;
}

function parseTruncated(
  reader: TokenReader,
  truncation: { unit: TimeUnit; asDate: boolean },
): RowExpression {
  const column = parseRowExpression(reader);
  if (column.kind !== 'column' || !isInstant(column.name)) {
    throw reader.fault('can truncate timestamp and created_at only');
  }
  return { kind: 'truncated', of: column.name, ...truncation };
}

function parseAggregate(reader: TokenReader, name: string): Aggregate {
  switch (name.toLowerCase()) {
    case 'count':
      return parseCount(reader);
    case 'uniq':
    case 'uniqexact':
      return {
        kind: 'aggregate',
        function: 'countDistinct',
        of: parseArgument(reader),
      };
    case 'sum':
      return { kind: 'aggregate', function: 'sum', of: parseNumber(reader) };
    case 'avg':
      return { kind: 'aggregate', function: 'avg', of: parseNumber(reader) };
    case 'min':
      return { kind: 'aggregate', function: 'min', of: parseOrdered(reader) };
    case 'max':
      return { kind: 'aggregate', function: 'max', of: parseOrdered(reader) };
    default:
      throw reader.fault(
        `calls '${name}', which is not one of count, uniq, sum, avg, min, max, toDate, toStartOfHour, toStartOfDay, toStartOfWeek, toStartOfMonth`,
      );
  }
}

function parseCount(reader: TokenReader): Aggregate {
  const token = reader.peek();
  if (token?.kind === 'sign' && token.text === ')') {
    return { kind: 'aggregate', function: 'count' };
  }
  if (reader.takeSign('*')) {
    return { kind: 'aggregate', function: 'count' };
  }
  const distinct = reader.takeWord('distinct');
  return {
    kind: 'aggregate',
    function: distinct ? 'countDistinct' : 'count',
    of: parseArgument(reader),
  };
}

/** Numbers of properties are what sums are made of. */
function parseNumber(reader: TokenReader): RowExpression {
  const argument = parseArgument(reader);
  if (argument.kind !== 'property') {
    throw reader.fault('can compute with properties only');
  }
  return { kind: 'number', name: argument.name };
}

function parseOrdered(reader: TokenReader): RowExpression {
  const argument = parseArgument(reader);
  return argument.kind === 'property'
    ? { kind: 'number', name: argument.name }
    : argument;
}

/** A column, a property or a function of time. */
function parseArgument(reader: TokenReader): RowExpression {
  const argument = parseOperand(reader);
  if (argument.kind === 'aggregate') {
    throw reader.fault('nests an aggregate in an aggregate');
  }
  if (kindOf(argument) === 'json') {
    throw reader.fault('cannot aggregate all properties at once');
  }
  return argument;
}

function isColumn(name: string): name is ColumnName {
  return COLUMNS.some(column => column === name);
}

/** HogQL's own comment syntax, in which PostHog's pages write labels. */
const COMMENT = '--';

/** Finds where the comment of an expression begins, outside quotes. @returns -1 without one. */
function commentAt(written: string): number {
  let isText = false;
  for (let at = 0; at < written.length; at += 1) {
    if (isText && written[at] === '\\') {
      at += 1;
    } else if (written[at] === "'") {
      isText = !isText;
    } else if (!isText && written.startsWith(COMMENT, at)) {
      return at;
    }
  }
  return -1;
}

/**
 * Reads an element of `select`: an expression, with `as name` or `-- label` or neither.
 *
 * @param field - of the request, for errors.
 */
export function parseSelection(written: string, field: string): Selection {
  const at = commentAt(written);
  const source = (at < 0 ? written : written.slice(0, at)).trim();
  const comment = at < 0 ? '' : written.slice(at + COMMENT.length).trim();
  const reader = new TokenReader(source, field);
  const expression: Expression = reader.takeSign('*')
    ? { kind: 'everything' }
    : parseOperand(reader);
  let label = comment || source;
  if (reader.takeWord('as')) {
    const alias = reader.expectWord();
    label = comment || alias;
  }
  reader.expectEnd();
  return { label, expression };
}

/**
 * Reads an element of `orderBy`: an expression or an alias of `select`, with `asc` or
 * `desc` or neither.
 */
export function parseOrdering(
  source: string,
  options: { field: string; selections: readonly Selection[] },
): Ordering {
  const { field, selections } = options;
  const reader = new TokenReader(source, field);
  const alias = selections.find(({ label }) => {
    const token = reader.peek();
    const after = reader.peek(1);
    return (
      token?.kind === 'word' && token.text === label && after?.kind !== 'sign'
    );
  });
  if (alias) {
    reader.next();
  }
  const expression = alias?.expression ?? parseOperand(reader);
  const descending = reader.takeWord('desc');
  if (!descending) {
    reader.takeWord('asc');
  }
  reader.expectEnd();
  if (expression.kind === 'everything' || kindOf(expression) === 'json') {
    throw reader.fault('cannot order by a whole object');
  }
  return { expression, descending };
}
