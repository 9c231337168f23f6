import {
  type EventsPlan,
  type Expression,
  keyOf,
  kindOf,
  type Select,
} from '../../query/language/Expression.ts';
import type { Dialect } from './Dialect.ts';
import { inlineRows } from './inlineRows.ts';
import { listPeople } from './listPeople.ts';

/** Upper limit of the times of events: 2106-01-01. */
const LATEST = Date.UTC(2106, 0, 1);

/** Names the values that the inner SELECT reads of each row. */
class RowNames {
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

/** Writes the statement of a plan. */
export function compilePlan({ select }: EventsPlan, dialect: Dialect): string {
  const statement = compileSelect(listPeople(select), dialect, true);
  return `${dialect.head?.() ?? ''}${statement}`;
}

/**
 * Writes the values of a SELECT with one column as a list in brackets, without null.
 *
 * @param settings - a clause that follows the SELECT.
 */
export function compileList(
  select: Select,
  dialect: Dialect,
  settings = '',
): string {
  const rows = compileSelect(select, dialect, false);
  return `(SELECT c0 FROM (${rows}${settings}) AS l WHERE c0 IS NOT NULL)`;
}

/**
 * Writes a SELECT as two: the inner one names the values of each row v0, v1, …; the
 * outer one groups, orders and limits, and names its columns c0, c1, …
 * @param isWhole - whether its rows are the final result, for which one row beyond the
 *   limit is read.
 */
function compileSelect(
  written: Select,
  dialect: Dialect,
  isWhole: boolean,
): string {
  const select = inlineRows(written);
  const rows = new RowNames(dialect);
  const groups = new Map(
    (select.groupBy ?? []).map(key => [keyOf(key), rows.nameOf(key)]),
  );
  const write = (expression: Expression): string =>
    select.groupBy
      ? writeGrouped(expression, { dialect, rows, groups })
      : rows.nameOf(expression);
  const columns = select.columns.map(write);
  const having = (select.having ?? []).map(write);
  // A DISTINCT can only be ordered by its own columns.
  const writeKey = (expression: Expression): string =>
    select.groupBy || select.distinct
      ? write(expression)
      : rows.sortNameOf(expression);
  const ordering = orderOf(select, {
    ordered: (select.orderBy ?? []).map(
      ({ expression, descending }) =>
        `${writeKey(expression)} ${descending ? 'DESC' : 'ASC'} NULLS LAST`,
    ),
    groups: [...groups.values()],
    rows,
  });
  const keys = [...new Set(groups.values())];
  const where = select.where.map(each => writeRow(each, dialect));
  const taken = rows.written();
  const source = sourceOf(select, dialect);
  const conditions = [...source.conditions, ...where];
  return [
    `SELECT ${select.distinct ? 'DISTINCT ' : ''}${columns
      .map((each, index) => `${each} AS c${index}`)
      .join(', ')}`,
    `FROM (SELECT ${taken} FROM ${source.sql}`,
    `WHERE ${conditions.map(each => `(${each})`).join(' AND ') || '1'}) AS e`,
    ...(keys.length > 0 ? [`GROUP BY ${keys.join(', ')}`] : []),
    ...(having.length > 0
      ? [`HAVING ${having.map(each => `(${each})`).join(' AND ')}`]
      : []),
    ...(ordering.length > 0 ? [`ORDER BY ${ordering.join(', ')}`] : []),
    ...limitOf(select, isWhole),
  ].join('\n');
}

function limitOf({ limit, offset }: Select, isWhole: boolean): string[] {
  return limit === undefined
    ? []
    : [`LIMIT ${isWhole ? limit + 1 : limit} OFFSET ${offset ?? 0}`];
}

/** Returns a total order if rows are limited, so that pages of a result do not overlap. */
function orderOf(
  select: Select,
  parts: { ordered: string[]; groups: string[]; rows: RowNames },
): string[] {
  const { ordered, groups, rows } = parts;
  if (select.limit === undefined) {
    return [];
  }
  const columns = () =>
    select.columns
      .filter(each => !['json', 'texts', 'numbers'].includes(kindOf(each)))
      .map(each => rows.nameOf(each));
  const isOfEvents = !select.distinct && select.from.kind === 'events';
  const others = isOfEvents
    ? () => [rows.sortNameOf({ kind: 'column', name: 'uuid' })]
    : columns;
  const ties = select.groupBy ? groups : others();
  return [...ordered, ...ties.map(name => `${name} ASC NULLS LAST`)];
}

function sourceOf(
  { from }: Select,
  dialect: Dialect,
): { sql: string; conditions: string[] } {
  switch (from.kind) {
    case 'events': {
      const { projectId, events, after, before = LATEST } = from;
      const bounds = { ...(after !== undefined && { after }), before };
      return {
        sql: dialect.source({ projectId, ...bounds }),
        conditions: [
          `project_id = ${dialect.value(projectId)}`,
          ...dialect.period(bounds),
          ...(events
            ? [
                `event IN (${events
                  .map(name => dialect.value(name))
                  .join(', ')})`,
              ]
            : []),
        ],
      };
    }
    case 'persons':
      return { sql: dialect.persons(from.projectId), conditions: [] };
    case 'each': {
      const rows = compileSelect(from.of, dialect, false);
      const columns = { count: from.of.columns.length, list: from.column };
      return { sql: `(${dialect.each(rows, columns)}) AS s`, conditions: [] };
    }
    default:
      return {
        sql: `(${compileSelect(from, dialect, false)}) AS s`,
        conditions: [],
      };
  }
}

/**
 * Writes an expression that is evaluated per group: an expression of GROUP BY, an
 * aggregate, or an expression over these.
 */
function writeGrouped(
  expression: Expression,
  options: {
    dialect: Dialect;
    rows: RowNames;
    groups: ReadonlyMap<string, string>;
  },
): string {
  const { dialect, rows, groups } = options;
  const group = groups.get(keyOf(expression));
  if (group !== undefined) {
    return group;
  }
  switch (expression.kind) {
    case 'aggregate': {
      const { args, when } = expression;
      return dialect.aggregate(expression, {
        args: args.map(arg => rows.nameOf(arg)),
        ...(when && { when: rows.nameOf(when) }),
      });
    }
    case 'call':
      return dialect.call(
        expression,
        expression.args.map(arg => writeGrouped(arg, options)),
      );
    default:
      return writeRow(expression, dialect);
  }
}

/** Writes an expression that is evaluated per row. */
function writeRow(expression: Expression, dialect: Dialect): string {
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
    case 'list':
      return dialect.texts(expression.values);
    case 'call':
      return dialect.call(
        expression,
        expression.args.map(arg => writeRow(arg, dialect)),
      );
    default:
      throw new Error('An aggregate has no value for a row');
  }
}
