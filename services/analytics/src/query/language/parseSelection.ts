import type { Expression, Operand } from './Expression.ts';
import { kindOf } from './Expression.ts';
import { parseOperand } from './parseOperand.ts';
import { TokenReader } from './TokenReader.ts';

/** A column of the answer. */
export interface Selection {
  /** As it was asked for, or the alias. */
  readonly label: string;
  readonly expression: Expression;
}

/** How rows are ordered; absent values come last either way. */
export interface Ordering {
  readonly expression: Operand;
  readonly descending: boolean;
}

/** HogQL's own comment syntax, in which PostHog's pages write labels. */
const COMMENT = '--';

/**
 * Reads an element of `select`: an expression, with `as name` or `-- label` or neither.
 *
 * @param field - of the request, for errors.
 */
export function parseSelection(written: string, field: string): Selection {
  const at = written.indexOf(COMMENT);
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
