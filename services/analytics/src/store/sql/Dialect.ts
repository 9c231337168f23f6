import type {
  Aggregate,
  Call,
  ColumnName,
  Kind,
  Property,
  Select,
  Value,
} from '../../query/language/Expression.ts';

/** The range of events that a query reads; engines read nothing outside it. */
export interface SourceScope {
  readonly projectId: string;
  /** Exclusive, milliseconds since the Unix epoch; undefined for no bound. */
  readonly after?: number;
  /** Exclusive, milliseconds since the Unix epoch. */
  readonly before: number;
}

/**
 * How an engine writes the parts of a plan; one instance per statement. Values from
 * users only go through {@link value}.
 */
export interface Dialect {
  /**
   * Writes the source of the events to read, for use after FROM. Called after every
   * expression of a SELECT, since persons and groups are joined only if an expression reads
   * them. The source may contain events outside the scope, so the statement still needs
   * conditions on it.
   */
  source(scope: SourceScope): string;
  /** Writes the source, for use after FROM, of the profiles of a project's people. */
  persons(projectId: string): string;
  /** Writes a value so that it cannot be parsed as SQL: as a parameter, or in hexadecimal. */
  value(value: Value, kind?: Kind): string;
  /** Writes a column; times as milliseconds. */
  column(name: ColumnName): string;
  /**
   * Writes a column that sorts the same as {@link column} and that the engine sorts
   * faster; undefined if there is none.
   */
  sortColumn?(name: ColumnName): string | undefined;
  /** Writes conditions on the raw columns of events, so that the engine uses its indexes. */
  period(bounds: { after?: number; before: number }): string[];
  /** Writes a property; null if it is missing. */
  property(property: Property): string;
  /** @param args - the written arguments. */
  call(call: Call, args: readonly string[]): string;
  /**
   * Writes an aggregate, which ignores nulls; except for counts, it is null if there are no
   * other values.
   */
  aggregate(
    aggregate: Aggregate,
    written: { args: readonly string[]; when?: string },
  ): string;
  /** Writes the values of a query with one column, as the list that follows IN. */
  list(select: Select): string;
  /** Writes texts as the list that follows IN. */
  texts(values: readonly string[]): string;
  /** Writes the beginning of a statement; called after everything else is written. */
  head?(): string;
  /**
   * Writes a source that repeats each row for every item of its list column, with the item
   * in place of the list.
   */
  each(rows: string, columns: { count: number; list: number }): string;
}
