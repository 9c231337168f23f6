import { buildCall } from './buildCall.ts';
import { compare, isAmong, isOneOf } from './buildComparison.ts';
import { call, type Expression, not } from './Expression.ts';
import type { Parser } from './parseCall.ts';

const COMPARISONS = ['=', '==', '!=', '<>', '<', '<=', '>', '>='];

interface TestParser extends Parser {
  /** Parses an operand of a comparison. */
  joined(): Expression;
}

/**
 * Parses a comparison with the operand on its left, such as `= 1`, `IN (…)` or `IS NULL`;
 * undefined if no comparison follows.
 */
export function parseTest(
  left: Expression,
  parser: TestParser,
): Expression | undefined {
  const { reader } = parser;
  const sign = reader.takeSign(...COMPARISONS);
  if (sign) {
    return compare(sign, [left, parser.joined()], parser);
  }
  const matching = reader.takeSign('=~', '!~');
  if (matching) {
    const matches = buildCall('match', [left, parser.joined()], parser);
    return matching === '=~' ? matches : not(matches);
  }
  if (reader.takeWord('is')) {
    const negated = reader.takeWord('not');
    reader.expectKeyword('null');
    return call(negated ? 'isNotNull' : 'isNull', [left], 'boolean');
  }
  const negated = reader.isWord('not');
  const ahead = negated ? 1 : 0;
  const turned = (test: Expression) => (negated ? not(test) : test);
  if (reader.takeWord('in', ahead)) {
    const query = parser.scope.list?.();
    if (!query && reader.takeWord('cohort')) {
      return turned(parseCohort(left, parser));
    }
    return query
      ? isAmong(left, query, { negated, parser })
      : isOneOf(left, parseList(parser), { negated, parser });
  }
  if (reader.takeWord('between', ahead)) {
    const low = parser.joined();
    reader.expectKeyword('and');
    return turned(
      call(
        'and',
        [
          compare('>=', [left, low], parser),
          compare('<=', [left, parser.joined()], parser),
        ],
        'boolean',
      ),
    );
  }
  for (const word of ['like', 'ilike'] as const) {
    if (reader.takeWord(word, ahead)) {
      return turned(buildCall(word, [left, parser.joined()], parser));
    }
  }
  return undefined;
}

/** Parses the id of a cohort, after COHORT. */
function parseCohort(
  left: Expression,
  { reader, scope }: TestParser,
): Expression {
  if (left.kind !== 'column' || left.name !== 'person') {
    throw reader.faultBefore('needs person_id of events before IN COHORT');
  }
  const token = reader.next();
  const cohort =
    token?.kind === 'number' ? scope.cohorts?.(String(token.value)) : undefined;
  if (!cohort) {
    throw reader.faultBefore(
      'needs the id of a cohort of the project after COHORT',
    );
  }
  return cohort.condition;
}

/** What to use instead of a query to select people who have also done something else. */
const INSTEAD_OF_QUERY =
  "group by person_id in a subquery, as in SELECT count() FROM (SELECT person_id, countIf(event = 'bought') AS bought FROM events GROUP BY person_id) WHERE bought > 0";

/** Parses a list in brackets. */
function parseList(parser: TestParser): Expression[] {
  const { reader } = parser;
  const token = reader.peek();
  if (token?.kind === 'word' && !token.quoted) {
    throw reader.fault(
      `needs a list of values in brackets: ${INSTEAD_OF_QUERY}`,
    );
  }
  const end = reader.takeSign('[') ? ']' : ')';
  if (end === ')') {
    reader.expectSign('(');
  }
  if (reader.isWord('select')) {
    throw reader.fault(
      `has a subquery in a list, which is not supported: name the values, or ${INSTEAD_OF_QUERY}`,
    );
  }
  const values = parser.listed(end);
  if (values.length === 0) {
    throw reader.faultBefore('has an empty list');
  }
  return values;
}
