import { InvalidRequestError } from '@slipway/service-kit';
import { fault } from '../faults.ts';
import {
  COLUMNS,
  type EventsSource,
  type Expression,
  isAggregated,
  keyOf,
  kindOf,
  partsOf,
  type Select,
} from './Expression.ts';
import { whatIsTooLarge } from './extent.ts';

/** A column of the result. */
export interface Selection {
  /** The expression as the caller wrote it, or its alias. */
  readonly label: string;
  /** Undefined for `*`, which is the whole event as one object. */
  readonly expression?: Expression;
}

/** The columns of `*`, in order. */
export const EVERYTHING: readonly Expression[] = COLUMNS.map(name => ({
  kind: 'column',
  name,
}));

/** The parts of a query, with parsed expressions. */
export interface SelectParts extends Omit<
  Select,
  'kind' | 'columns' | 'maxGroups'
> {
  readonly selections: readonly Selection[];
  /** Undefined to derive it from the selected columns. */
  readonly groupBy?: Select['groupBy'];
  /** Returns names of request fields, for errors. */
  readonly fieldOf: (
    part: 'select' | 'orderBy' | 'having',
    index: number,
  ) => string;
}

/**
 * Builds a SELECT. With aggregates, it is grouped by the other selected columns.
 * @throws InvalidRequestError if an expression has more than one value within a group.
 */
export function buildSelect(parts: SelectParts): Select {
  const { selections, fieldOf, groupBy, ...given } = parts;
  const { having = [], orderBy = [], ...rest } = given;
  const selected = selections.map(({ expression }) => expression);
  const used = [
    ...selected,
    ...having,
    ...orderBy.map(each => each.expression),
  ];
  const wrong = whatIsTooLarge([
    ...used.filter(each => each !== undefined),
    ...rest.where,
    ...(groupBy ?? []),
  ]);
  if (wrong) {
    throw fault('query', wrong, 'maximum');
  }
  const isGrouped =
    groupBy !== undefined ||
    having.length > 0 ||
    used.some(each => each !== undefined && isAggregated(each));
  const keys = isGrouped
    ? (groupBy ??
      (selected.filter(each => each && !isAggregated(each)) as Expression[]))
    : undefined;
  if (keys) {
    selected.forEach((expression, index) => {
      if (!expression || kindOf(expression) === 'json') {
        throw ungrouped(fieldOf('select', index), 'a whole object');
      }
      assertGrouped(expression, keys, fieldOf('select', index));
    });
    having.forEach((expression, index) =>
      assertGrouped(expression, keys, fieldOf('having', index)),
    );
    orderBy.forEach(({ expression }, index) =>
      assertGrouped(expression, keys, fieldOf('orderBy', index)),
    );
  }
  const narrowed = narrow(rest.from, rest.where);
  const { from: _from, where: _where, ...others } = rest;
  return {
    kind: 'select',
    ...others,
    ...narrowed,
    columns: selected.flatMap(expression => expression ?? EVERYTHING),
    ...(keys && { groupBy: distinctOf(keys) }),
    having,
    orderBy,
  };
}

function distinctOf(expressions: readonly Expression[]): Expression[] {
  return [...new Map(expressions.map(each => [keyOf(each), each])).values()];
}

/** Asserts that expressions of groups, outside of aggregates, only use the expressions of GROUP BY. */
function assertGrouped(
  expression: Expression,
  keys: readonly Expression[],
  field: string,
): void {
  const known = new Set(keys.map(keyOf));
  const check = (each: Expression) => {
    if (
      each.kind === 'aggregate' ||
      ['list', 'query', 'value'].includes(each.kind) ||
      known.has(keyOf(each))
    ) {
      return;
    }
    if (each.kind !== 'call') {
      throw ungrouped(field, 'a value that is neither selected nor aggregated');
    }
    partsOf(each).forEach(check);
  };
  check(expression);
}

function ungrouped(field: string, what: string): InvalidRequestError {
  return new InvalidRequestError(
    `${field} has ${what}, which cannot be combined with aggregates`,
    { field, constraint: 'aggregate' },
  );
}

/**
 * Moves conditions on the time and name of events to the source, so that engines do not
 * read other events.
 */
function narrow(
  from: Select['from'],
  where: readonly Expression[],
): Pick<Select, 'from' | 'where'> {
  if (from.kind !== 'events') {
    return { from, where };
  }
  let source: EventsSource = from;
  const rest = where.flatMap(partsOfAnd).filter(condition => {
    const narrower = narrowBy(source, condition);
    source = narrower ?? source;
    return !narrower;
  });
  return { from: source, where: rest };
}

function partsOfAnd(condition: Expression): readonly Expression[] {
  return condition.kind === 'call' && condition.function === 'and'
    ? condition.args.flatMap(partsOfAnd)
    : [condition];
}

function narrowBy(
  source: EventsSource,
  condition: Expression,
): EventsSource | undefined {
  if (condition.kind !== 'call') {
    return undefined;
  }
  const [left, ...values] = condition.args;
  if (
    left?.kind !== 'column' ||
    values.length === 0 ||
    !values.every(each => each.kind === 'value' && each.value !== null)
  ) {
    return undefined;
  }
  const known = values.map(each => (each.kind === 'value' ? each.value! : ''));
  if (left.name === 'event') {
    const isNames =
      condition.function === 'equals' || condition.function === 'in';
    return isNames && !source.events
      ? { ...source, events: known.map(String) }
      : undefined;
  }
  const [value] = known;
  if (left.name !== 'timestamp' || typeof value !== 'number') {
    return undefined;
  }
  const { after = -Infinity, before = Infinity } = source;
  const since = (moment: number) => ({
    ...source,
    after: Math.max(after, moment),
  });
  const until = (moment: number) => ({
    ...source,
    before: Math.min(before, moment),
  });
  switch (condition.function) {
    case 'greater':
      return since(value);
    case 'greaterOrEquals':
      return since(value - 1);
    case 'less':
      return until(value);
    case 'lessOrEquals':
      return until(value + 1);
    default:
      return undefined;
  }
}
