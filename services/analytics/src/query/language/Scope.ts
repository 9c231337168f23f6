import type { Calendar } from '../time/zones.ts';
import {
  COLUMNS,
  type Expression,
  GROUP_OWNERS,
  type QueryExpression,
} from './Expression.ts';

/** The meaning of names in an expression, and how its times are parsed. */
export interface Scope {
  readonly calendar: Calendar;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Resolves a name other than a column of events; undefined if it is unknown. */
  readonly named?: (name: string) => Expression | undefined;
  /** Columns of the subquery that this query reads from; undefined if it reads events. */
  readonly fields?: ReadonlyMap<string, Expression>;
  /** The values of placeholders such as `{name}`. */
  readonly placeholders?: ReadonlyMap<string, Expression>;
  /** The project's group types, which also name their groups: `company.properties.plan`. */
  readonly groupTypes?: readonly string[];
  /** Reads the query that follows IN, as its list; undefined if another list follows. */
  readonly list?: () => QueryExpression | undefined;
  /** Table names that may precede a column, before a dot. */
  readonly tables?: readonly string[];
}

/** Resolves a name to an expression. */
export function resolve(name: string, scope: Scope): Expression | undefined {
  return columnNamed(name, scope) ?? scope.named?.(name);
}

function columnNamed(name: string, scope: Scope): Expression | undefined {
  if (scope.fields) {
    return scope.fields.get(name);
  }
  if (name === 'person_id') {
    return { kind: 'column', name: 'person' };
  }
  const group = GROUP_OWNERS.find(each => `$${each}` === name);
  if (group) {
    return { kind: 'column', name: group };
  }
  if (name === '$session_id' || name === '$window_id') {
    return { kind: 'property', path: [name], as: 'text' };
  }
  const column = COLUMNS.find(each => each === name);
  return column && { kind: 'column', name: column };
}

/** Lists the names that an expression may use, for the error about an unknown one. */
export function namesOf({ fields }: Scope): string {
  return fields
    ? [...fields.keys()].join(', ')
    : `${COLUMNS.join(', ')}, person_id, properties.<name>`;
}
