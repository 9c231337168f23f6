import type { Expression, Select } from '../../query/language/Expression.ts';
import { changeRows } from './listPeople.ts';

/**
 * Rewrites a SELECT that groups the columns of a subquery to group the expressions of these columns, so
 * that engines analyse one SELECT less. Does nothing if the subquery does more than name expressions, or if
 * the SELECT itself computes something from the columns, which would repeat their expressions.
 */
export function inlineRows(select: Select): Select {
  const { from: rows, groupBy, where } = select;
  if (
    !groupBy ||
    where.length > 0 ||
    rows.kind !== 'select' ||
    !isPlain(rows)
  ) {
    return select;
  }
  const read: Expression[] = [];
  const inlined = changeRows(select, each => {
    read.push(each);
    return each.kind === 'field' ? rows.columns[each.index] : each;
  });
  return read.every(({ kind }) => kind === 'field' || kind === 'value')
    ? inlineRows({ ...inlined, from: rows.from, where: rows.where })
    : select;
}

/** Checks whether a SELECT returns one row for every row that it reads and that meets its conditions. */
function isPlain({
  distinct,
  groupBy,
  having,
  orderBy,
  limit,
  maxGroups,
}: Select): boolean {
  return (
    !distinct &&
    groupBy === undefined &&
    !having?.length &&
    !orderBy?.length &&
    limit === undefined &&
    maxGroups === undefined
  );
}
