import { type Expression, keyOf } from '../../query/language/Expression.ts';
import type { Dialect } from './Dialect.ts';

/** Writes an expression of single rows. */
export function writeRow(expression: Expression, dialect: Dialect): string {
  switch (expression.kind) {
    case 'column':
      return dialect.column(expression.name);
    case 'property':
      return dialect.property(expression);
    case 'value':
      return expression.value === null
        ? 'NULL'
        : dialect.value(expression.value, expression.of);
    case 'field':
      return `c${expression.index}`;
    case 'query':
      return dialect.list(expression.select);
    case 'call':
      return dialect.call(
        expression,
        expression.args.map(arg => writeRow(arg, dialect)),
      );
    default:
      throw new Error('An aggregate has no value for a row');
  }
}

/** Names the values that the inner SELECT reads of each row. */
export class RowNames {
  readonly #dialect: Dialect;
  readonly #names = new Map<string, { name: string; expression: Expression }>();
  readonly #sorted = new Map<string, string>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  nameOf(expression: Expression): string {
    const key = keyOf(expression);
    const named = this.#names.get(key) ?? {
      name: `v${this.#names.size}`,
      expression,
    };
    this.#names.set(key, named);
    return named.name;
  }

  /** Names a value by which rows are ordered. */
  sortNameOf(expression: Expression): string {
    const column =
      expression.kind === 'column'
        ? this.#dialect.sortColumn?.(expression.name)
        : undefined;
    if (column === undefined) {
      return this.nameOf(expression);
    }
    const name = this.#sorted.get(column) ?? `s${this.#sorted.size}`;
    this.#sorted.set(column, name);
    return name;
  }

  written(): string {
    const values = [...this.#names.values()].map(
      ({ name, expression }) =>
        `${writeRow(expression, this.#dialect)} AS ${name}`,
    );
    const sorted = [...this.#sorted].map(
      ([column, name]) => `${column} AS ${name}`,
    );
    return [...values, ...sorted].join(', ') || '1';
  }
}
