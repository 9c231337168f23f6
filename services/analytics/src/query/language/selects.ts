import { type Expression, partsOf, type Select } from './Expression.ts';

/** Returns a SELECT and all its subqueries, outermost first. */
export function selectsOf(select: Select): Select[] {
  return [
    select,
    ...sourcesOf(select),
    ...expressionsOf(select).flatMap(listsIn),
  ];
}

function sourcesOf({ from }: Select): Select[] {
  switch (from.kind) {
    case 'events':
    case 'persons':
      return [];
    case 'each':
      return selectsOf(from.of);
    default:
      return selectsOf(from);
  }
}

/** Returns the SELECTs whose values an expression searches with IN. */
function listsIn(expression: Expression): Select[] {
  return expression.kind === 'query'
    ? selectsOf(expression.select)
    : partsOf(expression).flatMap(listsIn);
}

/** Returns every expression of one SELECT. */
export function expressionsOf(select: Select): Expression[] {
  const { columns, where, groupBy = [], having = [], orderBy = [] } = select;
  return [
    ...columns,
    ...where,
    ...groupBy,
    ...having,
    ...orderBy.map(({ expression }) => expression),
  ];
}
