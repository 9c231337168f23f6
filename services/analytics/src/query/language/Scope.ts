import type { Calendar } from '../time/zones.ts';
import type { Expression, QueryExpression } from './Expression.ts';

/** The meaning of names in an expression, and how its times are parsed. */
export interface Scope {
  readonly calendar: Calendar;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Resolves a name other than a column of events; undefined if it is unknown. */
  readonly named?: (name: string) => Expression | undefined;
  /** Columns of the subquery that the query reads; undefined if it reads events. */
  readonly fields?: ReadonlyMap<string, Expression>;
  /** The values of placeholders such as `{name}`. */
  readonly placeholders?: ReadonlyMap<string, Expression>;
  /** The project's group types, which also name their groups: `company.properties.plan`. */
  readonly groupTypes?: readonly string[];
  /** Parses the query that follows IN as its list; undefined if another list follows. */
  readonly list?: () => QueryExpression | undefined;
  /** Table names that may precede a column, before a dot. */
  readonly tables?: readonly string[];
}
