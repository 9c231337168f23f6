import {
  type Aggregate,
  type ColumnName,
  type Condition,
  EVENT_CELLS,
  type EventsPlan,
  type Expression,
  keyOf,
  type Operand,
  type RowExpression,
  type TimeUnit,
  type Value,
} from '../../query/language/EventsPlan.ts';

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

/**
 * Writes the SELECT of a plan: an inner one that names what it takes of each event
 * v0, v1, … and an outer one that groups, orders and cuts.
 */
export function compilePlan(plan: EventsPlan, dialect: Dialect): string {
  const names = new Map<string, { name: string; expression: RowExpression }>();
  const nameOf = (expression: RowExpression) => {
    const key = keyOf(expression);
    const named = names.get(key) ?? { name: `v${names.size}`, expression };
    names.set(key, named);
    return named.name;
  };
  const outerOf = (operand: Operand) =>
    operand.kind === 'aggregate'
      ? writeAggregate(operand, { dialect, nameOf })
      : nameOf(operand);

  const selected = plan.select.flatMap(({ expression }) =>
    cellsOf(expression).map(outerOf),
  );
  const groups = plan.select
    .map(({ expression }) => expression)
    .filter(isOfRow)
    .map(nameOf);
  const having = plan.having.map(condition =>
    writeCondition(condition, { dialect, write: outerOf }),
  );
  const order = plan.orderBy.map(
    ({ expression, descending }) =>
      `${outerOf(expression)} ${descending ? 'DESC' : 'ASC'} NULLS LAST`,
  );
  // Pages of an answer must not overlap: ties are broken the same way each time.
  const ties = plan.isAggregated
    ? groups
    : [nameOf({ kind: 'column', name: 'uuid' })];
  const ordering = [...order, ...ties.map(name => `${name} ASC NULLS LAST`)];

  const write = (operand: Operand) =>
    writeRow(operand as RowExpression, dialect);
  const conditions = [
    `project_id = ${dialect.value(plan.projectId)}`,
    dialect.between(plan),
    ...(plan.events
      ? [
          `event IN (${plan.events
            .map(name => dialect.value(name))
            .join(', ')})`,
        ]
      : []),
    ...plan.where.map(condition =>
      writeCondition(condition, { dialect, write }),
    ),
  ];
  const inner = [...names.values()].map(
    ({ name, expression }) => `${writeRow(expression, dialect)} AS ${name}`,
  );
  // The inner part is written last and read first: dialects with parameters number them.
  return [
    `SELECT ${selected.join(', ')}`,
    `FROM (SELECT ${inner.join(', ') || '1'} FROM ${dialect.table}`,
    `WHERE ${conditions.map(each => `(${each})`).join(' AND ')}) AS e`,
    ...(plan.isAggregated && groups.length > 0
      ? [`GROUP BY ${[...new Set(groups)].join(', ')}`]
      : []),
    ...(having.length > 0
      ? [`HAVING ${having.map(each => `(${each})`).join(' AND ')}`]
      : []),
    ...(ordering.length > 0 ? [`ORDER BY ${ordering.join(', ')}`] : []),
    `LIMIT ${plan.limit + 1} OFFSET ${plan.offset}`,
  ].join('\n');
}

function cellsOf(expression: Expression): Operand[] {
  return expression.kind === 'everything'
    ? EVENT_CELLS.map(name => ({ kind: 'column', name }))
    : [expression];
}

function isOfRow(expression: Expression): expression is RowExpression {
  return expression.kind !== 'everything' && expression.kind !== 'aggregate';
}

function writeRow(expression: RowExpression, dialect: Dialect): string {
  switch (expression.kind) {
    case 'column':
      return dialect.column(expression.name);
    case 'property':
      return dialect.text(expression.name);
    case 'number':
      return dialect.number(expression.name);
    case 'truncated':
      return dialect.truncate(expression.unit, dialect.column(expression.of));
    default:
      return expression satisfies never;
  }
}

function writeAggregate(
  { function: name, of }: Aggregate,
  options: { dialect: Dialect; nameOf: (of: RowExpression) => string },
): string {
  return of ? options.dialect.aggregate(name, options.nameOf(of)) : 'count(*)';
}

function writeCondition(
  condition: Condition,
  options: { dialect: Dialect; write: (operand: Operand) => string },
): string {
  const { dialect, write } = options;
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.all
        .map(each => `(${writeCondition(each, options)})`)
        .join(condition.kind === 'and' ? ' AND ' : ' OR ');
    case 'not':
      return `NOT (${writeCondition(condition.of, options)})`;
    case 'absent':
      return `${write(condition.left)} IS ${
        condition.negated ? 'NOT NULL' : 'NULL'
      }`;
    case 'compare': {
      const { operator, left, right } = condition;
      return known(
        `${write(left)} ${operator} ${dialect.value(right)}`,
        operator === '!=',
      );
    }
    case 'in': {
      const values = condition.values.map(value => dialect.value(value));
      return known(
        `${write(condition.left)} ${
          condition.negated ? 'NOT IN' : 'IN'
        } (${values.join(', ')})`,
        condition.negated,
      );
    }
    case 'like': {
      const { left, negated, ...pattern } = condition;
      const likes = dialect.like(write(left), pattern);
      return known(negated ? `NOT ${likes}` : likes, negated);
    }
    default:
      return condition satisfies never;
  }
}

/** A comparison that is never unknown. */
function known(comparison: string, whenAbsent: boolean): string {
  return `ifNull(${comparison}, ${whenAbsent ? 1 : 0})`;
}
