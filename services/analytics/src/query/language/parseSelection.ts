import { type Expression, kindOf, type Ordering } from './Expression.ts';
import type { Selection } from './buildSelect.ts';
import { ExpressionParser } from './parseExpression.ts';
import type { Scope } from './Scope.ts';
import { TokenReader } from './TokenReader.ts';

/** HogQL's comment syntax, which PostHog's pages use for labels. */
const COMMENT = '--';

/** Finds the start of an expression's comment, outside of quotes. @returns -1 if there is none. */
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

/** The position of a text in the request, and the meaning of its names. */
interface Place {
  /** The field of the request, for errors. */
  readonly field: string;
  readonly scope: Scope;
}

/** Parses an element of `select`: an expression, optionally followed by `as name` or `-- label`. */
export function parseSelection(
  written: string,
  { field, scope }: Place,
): Selection {
  const at = commentAt(written);
  const source = (at < 0 ? written : written.slice(0, at)).trim();
  const comment = at < 0 ? '' : written.slice(at + COMMENT.length).trim();
  const reader = new TokenReader(source, field);
  let label = comment || source;
  if (reader.takeSign('*')) {
    reader.expectEnd();
    return { label };
  }
  if (isColumnOfPages(reader)) {
    reader.next();
    reader.expectEnd();
    return { label, expression: { kind: 'column', name: 'person' } };
  }
  const expression = new ExpressionParser(reader, scope).expression();
  if (reader.takeWord('as')) {
    const alias = reader.expectWord();
    label = comment || alias;
  }
  reader.expectEnd();
  return { label, expression };
}

/** Checks for the name by which PostHog's pages select people. */
function isColumnOfPages(reader: TokenReader): boolean {
  return reader.isWord('person_display_name') && reader.peek(1) === undefined;
}

/** Parses a condition, such as `properties.plan = 'pro' and not event like 'debug%'`. */
export function parseCondition(
  source: string,
  { field, scope }: Place,
): Expression {
  const reader = new TokenReader(source, field);
  const condition = new ExpressionParser(reader, scope).condition();
  reader.expectEnd();
  return condition;
}

/**
 * Parses an element of `orderBy`: an expression or an alias of `select`, optionally with
 * `asc` or `desc`.
 */
export function parseOrdering(
  source: string,
  options: Place & { selections: readonly Selection[] },
): Ordering {
  const { field, scope, selections } = options;
  const reader = new TokenReader(source, field);
  const ordering = readOrdering(
    new ExpressionParser(reader, scope),
    selections,
  );
  reader.expectEnd();
  return ordering;
}

/** Parses an expression or alias with its direction; `-x` means `x desc`. */
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

/** Consumes a minus that only reverses the order, since no number follows it. */
function turns(reader: TokenReader): boolean {
  const isMinus = reader.isSign('-') && reader.peek(1)?.kind === 'word';
  if (isMinus) {
    reader.next();
  }
  return isMinus;
}

/** Consumes the next token if it is the name or number of a selected expression. */
export function takeAlias(
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
