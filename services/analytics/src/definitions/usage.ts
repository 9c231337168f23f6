import { isJsonObject } from '@slipway/service-kit';

/** The fields of a query that name an event or a property. */
const NAMES: ReadonlySet<string> = new Set([
  'breakdown',
  'event',
  'events',
  'excludeEvents',
  'id',
  'key',
  'math_property',
  'property',
]);
/** The fields of a query that contain expressions. */
const EXPRESSIONS: ReadonlySet<string> = new Set([
  'breakdown',
  'key',
  'math_hogql',
  'orderBy',
  'query',
  'select',
  'where',
]);

/** Counts how many of some queries use each name. */
export function countUses(
  names: readonly string[],
  queries: readonly object[],
): ReadonlyMap<string, number> {
  const uses = new Map(names.map(name => [name, 0]));
  for (const query of queries) {
    for (const name of namesIn(query)) {
      const count = uses.get(name);
      if (count !== undefined) {
        uses.set(name, count + 1);
      }
    }
  }
  return uses;
}

function namesIn(query: unknown): ReadonlySet<string> {
  const named = new Set<string>();
  const visit = (value: unknown, field: string) => {
    if (typeof value === 'string') {
      if (NAMES.has(field)) {
        named.add(value);
      }
      if (EXPRESSIONS.has(field)) {
        namesInExpression(value).forEach(name => named.add(name));
      }
    } else if (Array.isArray(value)) {
      value.forEach(each => visit(each, field));
    } else if (isJsonObject(value)) {
      if (value.type === 'hogql' && typeof value.property === 'string') {
        namesInExpression(value.property).forEach(name => named.add(name));
      }
      const { breakdown: _ids, ...ofCohorts } = value;
      const isOfCohorts = value.breakdown_type === 'cohort';
      Object.entries(isOfCohorts ? ofCohorts : value).forEach(([name, each]) =>
        visit(each, name),
      );
    }
  };
  visit(query, '');
  return named;
}

/**
 * Matches words and quoted texts. A text without a closing quote also matches, so that it
 * is scanned only once.
 */
const NAME = /[\w$]+|'((?:[^'\\]|\\.?|'')*)(?:'|$)|"([^"]+)"|`([^`]+)`/gsu;

/** Returns the words and the texts of an expression, which is not parsed: it may be invalid. */
function namesInExpression(expression: string): string[] {
  return [...expression.matchAll(NAME)].map(
    ([word, text, ...named]) =>
      text?.replace(/''|\\(['\\])/g, (_match, escaped = "'") => escaped) ??
      named.find(name => name !== undefined) ??
      word,
  );
}
