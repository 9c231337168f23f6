import {
  type Expression,
  isAggregated,
  kindOf,
  type Ordering,
  type Select,
} from './Expression.ts';
import { buildSelect, type Selection } from './buildSelect.ts';
import type { ExpressionParser } from './parseExpression.ts';
import type { TokenReader } from './TokenReader.ts';

const MOST_ROWS = 50_000;
const MOST_SKIPPED = 10_000_000;

/** The parts of a query before its clauses. */
interface Parts {
  /** Parses expressions with the names of the source and the aliases of SELECT. */
  readonly parser: ExpressionParser;
  readonly from: Select['from'];
  readonly selections: readonly Selection[];
  readonly distinct: boolean;
}

/** Words after a table that begin joins and samples, which are not supported. */
export const UNSUPPORTED_CLAUSES = [
  'join',
  'left',
  'inner',
  'cross',
  'array',
  'any',
  'sample',
  'prewhere',
] as const;

/** @throws InvalidRequestError if a join or sample follows the source of a query. */
export function assertNoJoin(reader: TokenReader): void {
  for (const word of UNSUPPORTED_CLAUSES) {
    if (reader.isWord(word) || reader.isSign(',')) {
      throw reader.fault(
        'joins or samples, which is not supported: use a subquery, or FunnelsQuery, RetentionQuery or PathsQuery; person.properties.<name> needs no join',
      );
    }
  }
}

/**
 * Reads the clauses after a query's source: WHERE, GROUP BY, HAVING, ORDER BY and LIMIT.
 * @throws InvalidRequestError if anything else follows.
 */
export function readClauses(
  reader: TokenReader,
  { parser, ...parts }: Parts,
): Select {
  const where = reader.takeWord('where') ? [parser.condition()] : [];
  if (where.some(isAggregated)) {
    throw reader.faultBefore('has an aggregate in WHERE: use HAVING');
  }
  const groupBy = readGroupBy(reader, parser, parts.selections);
  const having = reader.takeWord('having') ? [parser.condition()] : [];
  const orderBy: Ordering[] = [];
  if (reader.takeWord('order')) {
    reader.expectKeyword('by');
    do {
      orderBy.push(readOrdering(parser, parts.selections));
    } while (reader.takeSign(','));
  }
  return buildSelect({
    ...parts,
    where,
    groupBy,
    having,
    orderBy,
    ...readLimit(reader),
    fieldOf: () => 'query.query',
  });
}

/** Parses an element of ORDER BY: an expression or alias with its direction; `-x` means `x desc`. */
export function readOrdering(
  parser: ExpressionParser,
  selections: readonly Selection[],
): Ordering {
  const { reader } = parser;
  const isTurned = turns(reader);
  const expression = takeAlias(reader, selections) ?? parser.expression();
  const descending = reader.takeWord('desc') || isTurned;
  if (!descending) {
    reader.takeWord('asc');
  }
  if (reader.takeWord('nulls') && !reader.takeWord('last')) {
    throw reader.fault('can only have NULLS LAST');
  }
  if (kindOf(expression) === 'json') {
    throw reader.fault('cannot order by a whole object');
  }
  return { expression, descending };
}

/** Consumes a minus before a name, which reverses the order. @returns false if there is none. */
function turns(reader: TokenReader): boolean {
  const isMinus = reader.isSign('-') && reader.peek(1)?.kind === 'word';
  if (isMinus) {
    reader.next();
  }
  return isMinus;
}

/** Consumes the next token, and returns its expression, if it is the name or number of a selection. */
function takeAlias(
  reader: TokenReader,
  selections: readonly Selection[],
): Expression | undefined {
  const token = reader.peek();
  const after = reader.peek(1);
  const stands =
    after === undefined ||
    (after.kind === 'sign' && [',', ')'].includes(after.text)) ||
    after.kind === 'word';
  if (!stands || token === undefined) {
    return undefined;
  }
  const numbered =
    token.kind === 'number' ? selections[token.value - 1] : undefined;
  const found =
    token.kind === 'word'
      ? selections.find(({ label }) => label === token.text)
      : numbered;
  if (!found?.expression) {
    return undefined;
  }
  reader.next();
  return found.expression;
}

function readGroupBy(
  reader: TokenReader,
  parser: ExpressionParser,
  selections: readonly Selection[],
): Expression[] | undefined {
  if (!reader.takeWord('group')) {
    return undefined;
  }
  reader.expectKeyword('by');
  const keys: Expression[] = [];
  do {
    const key = takeAlias(reader, selections) ?? parser.expression();
    if (isAggregated(key)) {
      throw reader.faultBefore('groups by an aggregate');
    }
    keys.push(key);
  } while (reader.takeSign(','));
  if (reader.isWord('with')) {
    throw reader.fault(
      'has WITH TOTALS or WITH ROLLUP, which is not supported',
    );
  }
  return keys;
}

function readLimit(reader: TokenReader): { limit?: number; offset?: number } {
  if (!reader.takeWord('limit')) {
    return {};
  }
  const first = readCount(reader, MOST_ROWS);
  if (reader.takeSign(',')) {
    return { offset: first, limit: readCount(reader, MOST_ROWS) };
  }
  if (reader.isWord('by')) {
    throw reader.fault('has LIMIT BY, which is not supported: use a subquery');
  }
  return reader.takeWord('offset')
    ? { limit: first, offset: readCount(reader, MOST_SKIPPED) }
    : { limit: first };
}

function readCount(reader: TokenReader, most: number): number {
  const token = reader.next();
  if (
    token?.kind !== 'number' ||
    !Number.isInteger(token.value) ||
    token.value > most
  ) {
    throw reader.faultBefore(`needs a number of rows, at most ${most}`);
  }
  return token.value;
}
