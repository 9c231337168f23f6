import { buildCall } from './buildCall.ts';
import { compare } from './buildComparison.ts';
import type { Scope } from './coerce.ts';
import {
  COLUMNS,
  type Expression,
  GROUP_OWNERS,
  partsOf,
  type PropertyOwner,
  valueOf,
} from './Expression.ts';
import { type Interval, parseInterval } from './intervals.ts';
import { parseCallee, type Parser } from './parseCall.ts';

const LONGEST_NAME = 400;

/** PostHog's columns that do not exist here, and what to use instead. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['elements_chain', 'properties.$elements_chain'],
  ['pdi', 'person_id'],
  ['person', 'person_id or person.properties.<name>'],
  ['poe', 'person.properties.<name>'],
  ['session', 'properties.$session_id'],
  ['team_id', '/api/projects/{id}/query of the other project'],
]);

/** Parses a value, a name, a call, or an expression in parentheses. */
export function parseOperand(parser: Parser): Expression | Interval {
  const { reader } = parser;
  if (reader.takeSign('(')) {
    const inner = parser.expression();
    reader.expectSign(')');
    return inner;
  }
  if (reader.takeSign('{')) {
    return parsePlaceholder(parser);
  }
  const token = reader.next();
  switch (token?.kind) {
    case 'number':
      if (!Number.isFinite(token.value)) {
        throw reader.faultBefore('contains a number that is too large');
      }
      return valueOf(token.value);
    case 'text':
      return valueOf(token.text);
    case 'word':
      return parseWord(token, parser);
    default:
      throw reader.faultBefore('needs a name or a value');
  }
}

/** Parses a placeholder `{name}`, whose value is in the request. */
function parsePlaceholder({ reader, scope }: Parser): Expression {
  let name = reader.expectWord();
  while (reader.takeSign('.')) {
    name += `.${reader.expectWord()}`;
  }
  reader.expectSign('}');
  const found = scope.placeholders?.get(name);
  if (!found) {
    throw reader.faultBefore(
      name.startsWith('filters.')
        ? `has {${name}}, which is not supported: use {filters}`
        : `has {${name}}, which ${name.startsWith('variables.') ? 'query.variables' : 'query.values'} does not contain`,
    );
  }
  if (scope.fields && readsEvents(found)) {
    throw reader.faultBefore(
      `has {${name}} in a query of a subquery: use it in the one FROM events`,
    );
  }
  return found;
}

/** Checks whether an expression reads anything from an event. */
function readsEvents(expression: Expression): boolean {
  return (
    ['column', 'property'].includes(expression.kind) ||
    partsOf(expression).some(readsEvents)
  );
}

/** Parses an operand that begins with a word: a call, a constant, an interval, CASE or a name. */
function parseWord(
  { text, quoted }: { text: string; quoted: boolean },
  parser: Parser,
): Expression | Interval {
  const { reader } = parser;
  const word = quoted ? '' : text.toLowerCase();
  if (reader.isSign('(') && word !== '') {
    reader.next();
    return parseCallee(text, parser);
  }
  switch (word) {
    case 'null':
      return valueOf(null);
    case 'true':
    case 'false':
      return valueOf(Number(word === 'true'), 'boolean');
    case 'interval':
      return parseInterval(parser);
    case 'case':
      return parseCase(parser);
    default:
      return parseName(text, parser);
  }
}

/** Parses `CASE WHEN … THEN … ELSE … END`, or `CASE x WHEN … THEN … END`. */
function parseCase(parser: Parser): Expression {
  const { reader } = parser;
  const of = reader.isWord('when') ? undefined : parser.expression();
  const args: Expression[] = [];
  while (reader.takeWord('when')) {
    const when = parser.expression();
    args.push(of ? compare('=', [of, when], parser) : when);
    reader.expectKeyword('then');
    args.push(parser.expression());
  }
  args.push(reader.takeWord('else') ? parser.expression() : valueOf(null));
  reader.expectKeyword('end');
  return buildCall('multiif', args, parser);
}

function parseName(name: string, parser: Parser): Expression {
  const { reader, scope } = parser;
  if (scope.tables?.includes(name) && reader.takeSign('.')) {
    return parseName(reader.expectWord(), parser);
  }
  const found = resolve(name, scope);
  if (
    found?.kind === 'column' &&
    found.name === 'properties' &&
    (reader.isSign('.') || reader.isSign('['))
  ) {
    return { kind: 'property', path: parsePath(parser), as: 'text' };
  }
  const owner = found ? undefined : ownerNamed(name, scope);
  if (owner && !scope.fields && reader.takeSign('.')) {
    return parseOwned(owner, parser);
  }
  if (!found) {
    const instead = scope.fields ? undefined : ELSEWHERE.get(name);
    throw reader.faultBefore(
      instead
        ? `names '${name}', which is not available: use ${instead}`
        : `names '${name}', which is not one of ${namesOf(
            scope,
          )}; strings are written in single quotes`,
    );
  }
  return found;
}

/** Parses `person.id`, `group_0.key`, and properties of a person or a group. */
function parseOwned(owner: PropertyOwner, parser: Parser): Expression {
  const { reader } = parser;
  const name = reader.expectWord();
  if (owner === 'person' && name === 'id') {
    return { kind: 'column', name: 'person' };
  }
  if (owner !== 'person' && owner !== 'event' && name === 'key') {
    return { kind: 'column', name: owner };
  }
  if (name !== 'properties' || !(reader.isSign('.') || reader.isSign('['))) {
    throw reader.faultBefore(
      `uses ${owner}.${name}, which is not available: use ${owner}.properties.<name>`,
    );
  }
  return { kind: 'property', path: parsePath(parser), as: 'text', owner };
}

/** Parses a path of one or more `.name` or `['any name']`. */
function parsePath(parser: Parser): string[] {
  const { reader } = parser;
  const path: string[] = [];
  for (;;) {
    if (reader.takeSign('.')) {
      path.push(reader.expectWord());
    } else if (reader.takeSign('[')) {
      const token = reader.next();
      if (token?.kind !== 'text') {
        throw reader.faultBefore("needs the property's name in quotes");
      }
      reader.expectSign(']');
      path.push(token.text);
    } else {
      return path;
    }
    checkName(path.at(-1)!, parser);
    if (path.length > 10) {
      throw reader.fault('reads more than 10 levels of objects');
    }
  }
}

function checkName(name: string, { reader }: Parser): void {
  if (name === '' || name.length > LONGEST_NAME) {
    throw reader.fault(
      `needs a property's name of 1 to ${LONGEST_NAME} characters`,
    );
  }
}

/** Resolves a name before a dot: a person, or a group by number or type. */
function ownerNamed(
  name: string,
  { groupTypes = [] }: Scope,
): PropertyOwner | undefined {
  const owner = (['person', ...GROUP_OWNERS] as const).find(
    each => each === name,
  );
  return owner ?? GROUP_OWNERS[groupTypes.indexOf(name)];
}

/** Resolves a name to an expression. */
function resolve(name: string, scope: Scope): Expression | undefined {
  return columnNamed(name, scope) ?? scope.named?.(name);
}

function columnNamed(name: string, scope: Scope): Expression | undefined {
  if (scope.fields) {
    return scope.fields.get(name);
  }
  if (name === 'person_id') {
    return { kind: 'column', name: 'person' };
  }
  const group = GROUP_OWNERS.find(each => `$${each}` === name);
  if (group) {
    return { kind: 'column', name: group };
  }
  if (name === '$session_id' || name === '$window_id') {
    return { kind: 'property', path: [name], as: 'text' };
  }
  const column = COLUMNS.find(each => each === name);
  return column && { kind: 'column', name: column };
}

/** Lists the names that an expression may use, for the error about an unknown name. */
function namesOf({ fields }: Scope): string {
  return fields
    ? [...fields.keys()].join(', ')
    : `${COLUMNS.join(', ')}, person_id, properties.<name>`;
}
