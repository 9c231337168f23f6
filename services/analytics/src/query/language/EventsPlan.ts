/** The columns that a query may name; nothing else is ever reached. */
export const COLUMNS = [
  'uuid',
  'event',
  'properties',
  'timestamp',
  'distinct_id',
  'created_at',
] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** Instants are cut to the start of these, in UTC. */
export type TimeUnit = 'hour' | 'day' | 'week' | 'month';

/** An expression that has a value for each event. */
export type RowExpression =
  | { readonly kind: 'column'; readonly name: ColumnName }
  /** The value of a property as text: JSON where it is no text, null where there is none. */
  | { readonly kind: 'property'; readonly name: string }
  /** The value of a property where it is a number, else null. */
  | { readonly kind: 'number'; readonly name: string }
  | {
      readonly kind: 'truncated';
      readonly unit: TimeUnit;
      readonly of: 'timestamp' | 'created_at';
      /** True where it is shown as a date without a time. */
      readonly asDate: boolean;
    };

/** `uniq` is `countDistinct`, exact as well; sums and averages are of numbers alone. */
export type AggregateFunction =
  'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max';

/** An expression that has one value for a group of events. */
export interface Aggregate {
  readonly kind: 'aggregate';
  readonly function: AggregateFunction;
  /** Absent for `count()`; values that are null are left out. */
  readonly of?: RowExpression;
}

/** All of an event, as one object. */
export interface Everything {
  readonly kind: 'everything';
}

/** Has one value for each event or group, and can be compared. */
export type Operand = RowExpression | Aggregate;
/** What `select` may hold. */
export type Expression = Operand | Everything;

/** A comparison as plans hold it: HogQL also writes `==` and `<>`. */
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A value that the query brings: instants are milliseconds. */
export type Value = string | number;

/**
 * True or false and never unknown, as in HogQL: an absent value equals nothing, differs
 * from everything, and is neither smaller nor larger.
 */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly all: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      readonly left: Operand;
      readonly right: Value;
    }
  | {
      readonly kind: 'in';
      readonly left: Operand;
      readonly values: readonly Value[];
      readonly negated: boolean;
    }
  | {
      readonly kind: 'like';
      readonly left: RowExpression;
      /** `%` any text, `_` any character, `\` before one of the three: itself. */
      readonly pattern: string;
      readonly caseless: boolean;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'absent';
      readonly left: Operand;
      readonly negated: boolean;
    };

/** The kind of an expression's values. */
export type ValueKind = 'text' | 'number' | 'time' | 'json';

/** `min` and `max` are of the kind of what they look at, other aggregates numbers. */
export function kindOf(expression: Operand): ValueKind {
  switch (expression.kind) {
    case 'column':
      if (expression.name === 'properties') {
        return 'json';
      }
      return isInstant(expression.name) ? 'time' : 'text';
    case 'property':
      return 'text';
    case 'number':
      return 'number';
    case 'truncated':
      return 'time';
    case 'aggregate':
      return (expression.function === 'min' || expression.function === 'max') &&
        expression.of
        ? kindOf(expression.of)
        : 'number';
    default:
      return expression satisfies never;
  }
}

/** Tells whether a column holds moments, which alone can be cut to the start of a unit. */
export function isInstant(
  name: ColumnName,
): name is 'timestamp' | 'created_at' {
  return name === 'timestamp' || name === 'created_at';
}

/** The expressions that a condition looks at. */
export function operandsOf(condition: Condition): Operand[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.all.flatMap(operandsOf);
    case 'not':
      return operandsOf(condition.of);
    default:
      return [condition.left];
  }
}

/** Two expressions with the same key are the same. */
export function keyOf(expression: Expression): string {
  return JSON.stringify(expression);
}

/** A column of the answer. */
export interface Selection {
  /** The expression as it was asked for, or its alias. */
  readonly label: string;
  readonly expression: Expression;
}

/** How rows are ordered; absent values come last either way. */
export interface Ordering {
  readonly expression: Operand;
  readonly descending: boolean;
}

/**
 * An EventsQuery that was read and checked: everything in it is one of a few known
 * expressions or a value. Stores turn it into SQL of their own.
 */
export interface EventsPlan {
  readonly projectId: string;
  readonly select: readonly Selection[];
  /** Names of events; undefined for all. */
  readonly events?: readonly string[];
  /** Exclusive, milliseconds since the Unix epoch; undefined for no bound. */
  readonly after?: number;
  /** Exclusive, milliseconds since the Unix epoch. */
  readonly before: number;
  /** Conditions on single events. */
  readonly where: readonly Condition[];
  /** Conditions on groups of events. */
  readonly having: readonly Condition[];
  readonly orderBy: readonly Ordering[];
  /** True where each row is a group of events that agree in what is selected together with aggregates. */
  readonly isAggregated: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** A row of an answer, in the order of `select`, before times become texts. */
export type Cell = string | number | null;

/** What a store answers to a plan: `*` takes the place of six cells, as {@link EVENT_CELLS}. */
export interface PlanRows {
  readonly rows: readonly (readonly Cell[])[];
}

/** The cells that stand for `*`. */
export const EVENT_CELLS = [
  'uuid',
  'event',
  'properties',
  'timestamp',
  'distinct_id',
  'created_at',
] as const;
