import type {
  ColumnName,
  TimeUnit,
  Value,
} from '../../query/language/Expression.ts';

/**
 * How an engine writes what a plan consists of. Values of users go through {@link value}
 * and nowhere else.
 */
export interface Dialect {
  readonly table: string;
  /** Writes a value so that it is nothing but a value: a parameter, or hexadecimal. */
  value(value: Value): string;
  /** A column; instants as milliseconds. */
  column(name: ColumnName): string;
  /** The raw column of events' times between bounds, so that indexes are used. */
  between(bounds: { after?: number; before: number }): string;
  /** A property as text; null where it is none. */
  text(property: string): string;
  /** A property where it is a number; else null. */
  number(property: string): string;
  /** Milliseconds of the start of the unit, in UTC, of milliseconds. */
  truncate(unit: TimeUnit, milliseconds: string): string;
  like(text: string, options: { pattern: string; caseless: boolean }): string;
  /** An aggregate over values, nulls left out; null over none, counts excepted. */
  aggregate(
    name: 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max',
    of: string,
  ): string;
}
