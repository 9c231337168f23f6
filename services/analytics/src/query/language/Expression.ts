import type { AggregateName, Fold, FunctionName } from './functionNames.ts';

/** The columns of events that queries may use; no others are accessible. */
export const COLUMNS = [
  'uuid',
  'event',
  'properties',
  'timestamp',
  'distinct_id',
  'created_at',
] as const;
/**
 * `person` is the person an event is counted for: the id that represents all ids of the
 * person. `group_0` is the key of the event's group of the first type.
 */
export type ColumnName = (typeof COLUMNS)[number] | 'person' | GroupOwner;

/**
 * The type of an expression's values. A `time` is in milliseconds since the Unix epoch, a
 * `date` is the time of its midnight in UTC, and a `boolean` is 1 or 0.
 */
export type Kind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'time'
  | 'date'
  | 'json'
  | 'texts'
  | 'numbers'
  | 'null';

/** A value from the query. */
export interface ValueExpression {
  readonly kind: 'value';
  readonly value: Value | null;
  readonly of: Kind;
}

/**
 * The groups of an event; a project has at most five group types. `group_0` is the group of
 * the first type.
 */
export const GROUP_OWNERS = [
  'group_0',
  'group_1',
  'group_2',
  'group_3',
  'group_4',
] as const;

/** A group that an event belongs to, by the number of its type. */
export type GroupOwner = (typeof GROUP_OWNERS)[number];

/** The owner of the properties that an expression reads. */
export type PropertyOwner = 'event' | 'person' | GroupOwner;

export interface Property {
  readonly kind: 'property';
  /** Undefined for the event. */
  readonly owner?: PropertyOwner;
  /** The property's name; if it is an object, followed by the names of nested properties. */
  readonly path: readonly string[];
  /**
   * Whether the property is read as text (JSON for values that are not text) or as a
   * number; null if it has no such value.
   */
  readonly as: 'text' | 'number';
}

export interface Call {
  readonly kind: 'call';
  readonly function: FunctionName;
  readonly args: readonly Expression[];
  readonly words?: readonly string[];
  readonly of: Kind;
}

/** An expression with one value per group of rows; ignores null values. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly function: AggregateName | Fold;
  readonly args: readonly Expression[];
  /** The level of a quantile, between 0 and 1. */
  readonly level?: number;
  /** The rows to include; all rows if omitted. */
  readonly when?: Expression;
  readonly of: Kind;
}

/** A column of the subquery that a query reads. */
export interface Field {
  readonly kind: 'field';
  readonly index: number;
  readonly of: Kind;
}

/** Events of one project between two times. */
export interface EventsSource {
  readonly kind: 'events';
  readonly projectId: string;
  /** Event names; undefined for all. */
  readonly events?: readonly string[];
  /** Exclusive, milliseconds since the Unix epoch; undefined for no bound. */
  readonly after?: number;
  /** Exclusive, milliseconds since the Unix epoch; undefined for no bound. */
  readonly before?: number;
}

/** The profiles of a project's people. Only `person` and properties of persons can be read from it. */
export interface PersonsSource extends Pick<EventsSource, 'projectId'> {
  readonly kind: 'persons';
}

/** Rows of a query, each repeated for every item of one of its list columns. */
export interface EachSource {
  readonly kind: 'each';
  readonly of: Select;
  readonly column: number;
}

/** The order of rows; missing values are always last. */
export interface Ordering {
  readonly expression: Expression;
  readonly descending: boolean;
}

/**
 * A SELECT that consists only of known parts and bound values. Stores translate it into
 * their own SQL.
 */
export interface Select {
  readonly kind: 'select';
  readonly from: EventsSource | PersonsSource | EachSource | Select;
  /** Columns are referred to by position; `*` is already expanded. */
  readonly columns: readonly Expression[];
  readonly distinct?: boolean;
  /** Conditions on rows. */
  readonly where: readonly Expression[];
  /** The expressions to group by; undefined without grouping. */
  readonly groupBy?: readonly Expression[];
  /** Conditions on groups. */
  readonly having?: readonly Expression[];
  readonly orderBy?: readonly Ordering[];
  /** Maximum number of rows; undefined for no limit. */
  readonly limit?: number;
  readonly offset?: number;
  /** Engines may stop reading beyond this number of groups; the caller then ignores the result. */
  readonly maxGroups?: number;
}

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

/** The values of a query with one column, as the list that `in` searches. */
export interface QueryExpression {
  readonly kind: 'query';
  readonly select: Select;
  /** The type of its values. */
  readonly of: Kind;
}

/** Known texts, as the list that `in` searches; there may be thousands. */
export interface ListExpression {
  readonly kind: 'list';
  readonly values: readonly string[];
  readonly of: Kind;
}

/** An expression with a value per row or group. It consists only of known parts; values are bound. */
export type Expression =
  | { readonly kind: 'column'; readonly name: ColumnName }
  | Property
  | ValueExpression
  | Field
  | QueryExpression
  | ListExpression
  | Call
  | Aggregate;

/** A bound value; times and numbers are numbers. */
export type Value = string | number;

/** Returns the type of an expression's values; properties are text unless used as numbers. */
export function kindOf(expression: Expression): Kind {
  switch (expression.kind) {
    case 'column':
      if (expression.name === 'properties') {
        return 'json';
      }
      return expression.name === 'timestamp' || expression.name === 'created_at'
        ? 'time'
        : 'text';
    case 'property':
      return expression.as;
    default:
      return expression.of;
  }
}

/** Returns a key that is equal for equal expressions. */
export function keyOf(expression: Expression): string {
  return JSON.stringify(expression);
}

/** Returns the direct operands of an expression. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
      return expression.args;
    case 'aggregate':
      return expression.when
        ? [...expression.args, expression.when]
        : expression.args;
    default:
      return [];
  }
}

/** Checks whether an expression contains an aggregate. */
export function isAggregated(expression: Expression): boolean {
  return (
    expression.kind === 'aggregate' || partsOf(expression).some(isAggregated)
  );
}

/** Creates a function call. */
export function call(
  name: FunctionName,
  args: readonly Expression[],
  of: Kind,
  words?: readonly string[],
): Call {
  return { kind: 'call', function: name, args, of, ...(words && { words }) };
}

/** Creates an expression from a text, number or time. */
export function valueOf(
  value: Value | null,
  of: Kind = typeof value === 'string' ? 'text' : 'number',
): ValueExpression {
  return { kind: 'value', value, of: value === null ? 'null' : of };
}

/** Returns the condition that an expression equals a value. */
export function equals(left: Expression, value: Value): Call {
  return call('equals', [left, valueOf(value)], 'boolean');
}

/** Creates a list of texts. */
export function listOf(values: readonly string[]): ListExpression {
  return { kind: 'list', values, of: 'text' };
}

/** Refers to a column of the subquery, by its position. */
export function field(index: number, of: Kind): Field {
  return { kind: 'field', index, of };
}

/** Returns the condition that all conditions are true; always true if there are none. */
export function allOf(conditions: readonly Expression[]): Expression {
  return conditions.length === 1
    ? conditions[0]
    : call('and', conditions, 'boolean');
}

/** Returns the condition that one of the conditions is true; there must be at least one. */
export function anyOf(conditions: readonly Expression[]): Expression {
  return conditions.length === 1
    ? conditions[0]
    : call('or', conditions, 'boolean');
}

/** Returns the condition that a condition is false. */
export function not(condition: Expression): Expression {
  return call('not', [condition], 'boolean');
}

/** Counts rows. */
export const COUNT: Aggregate = {
  kind: 'aggregate',
  function: 'count',
  args: [],
  of: 'number',
};

/** Counts the different values of an expression. */
export function countDistinct(of: Expression): Aggregate {
  return {
    kind: 'aggregate',
    function: 'countDistinct',
    args: [of],
    of: 'number',
  };
}
