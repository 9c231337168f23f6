import {
  type Expression,
  GROUP_OWNERS,
  partsOf,
  type PropertyOwner,
  type Select,
} from './Expression.ts';

export type {
  EachSource,
  EventsSource,
  Ordering,
  Select,
  Value,
} from './Expression.ts';

/** A query to the store. */
export interface EventsPlan {
  readonly projectId: string;
  readonly select: Select;
}

/** A cell of a result, before times are formatted. */
export type Cell = string | number | null | readonly (string | number)[];

/** The result of a plan: one cell per column. */
export interface PlanRows {
  readonly rows: readonly (readonly Cell[])[];
}

const PEOPLE = ['person', ...GROUP_OWNERS] as const;

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

/** Checks whether a SELECT reads groups of events, or their properties. */
export function readsGroups(select: Select): boolean {
  return ownersOf(select).some(
    owner => owner !== 'event' && owner !== 'person',
  );
}

/** Checks whether a SELECT reads persons or groups, or their properties. */
export function readsPeople(select: Select): boolean {
  return ownersOf(select).some(owner => owner !== 'event');
}

/** Returns what the columns and properties that a SELECT reads belong to. */
function ownersOf(select: Select): PropertyOwner[] {
  return selectsOf(select).flatMap(expressionsOf).flatMap(ownersIn);
}

function ownersIn(expression: Expression): PropertyOwner[] {
  switch (expression.kind) {
    case 'column':
      return [PEOPLE.find(each => each === expression.name) ?? 'event'];
    case 'property':
      return [expression.owner ?? 'event'];
    default:
      return partsOf(expression).flatMap(ownersIn);
  }
}

/** Returns every expression of one SELECT. */
export function expressionsOf(select: Select): Expression[] {
  const { columns, where, groupBy = [], having, orderBy } = select;
  return [
    ...columns,
    ...where,
    ...groupBy,
    ...having,
    ...orderBy.map(({ expression }) => expression),
  ];
}
