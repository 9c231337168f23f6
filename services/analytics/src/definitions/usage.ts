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
/** The fields of a query that hold expressions. */
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
  const texts = queries.map(query => textsOf(query));
  return new Map(
    names.map(name => [
      name,
      texts.filter(
        ({ named, expressions }) =>
          named.has(name) || expressions.some(each => each.includes(name)),
      ).length,
    ]),
  );
}

function textsOf(query: unknown): {
  named: Set<string>;
  expressions: string[];
} {
  const named = new Set<string>();
  const expressions: string[] = [];
  const visit = (value: unknown, field: string) => {
    if (typeof value === 'string') {
      if (NAMES.has(field)) {
        named.add(value);
      }
      if (EXPRESSIONS.has(field)) {
        expressions.push(value);
      }
    } else if (Array.isArray(value)) {
      value.forEach(each => visit(each, field));
    } else if (isJsonObject(value)) {
      if (value.type === 'hogql' && typeof value.property === 'string') {
        expressions.push(value.property);
      }
      Object.entries(value).forEach(([name, each]) => visit(each, name));
    }
  };
  visit(query, '');
  return { named, expressions };
}
