import type { Cell, EventsPlan, PlanRows } from './EventsPlan.ts';
import { EVENT_CELLS } from './EventsPlan.ts';
import {
  type Expression,
  kindOf,
  type Operand,
} from './language/Expression.ts';

const columnTypes = {
  uuid: 'UUID',
  event: 'String',
  properties: 'JSON',
  timestamp: "DateTime64(3, 'UTC')",
  distinct_id: 'String',
  created_at: "DateTime64(3, 'UTC')",
} as const;

/** Answer of `POST /api/query`. */
export interface QueryAnswer {
  columns: string[];
  results: unknown[][];
  types: string[];
  hasMore: boolean;
  limit: number;
  offset: number;
}

/** Words what a store found: instants as texts, objects as objects, one row less than asked for. */
export function answerOf(plan: EventsPlan, { rows }: PlanRows): QueryAnswer {
  const { select, limit, offset } = plan;
  return {
    columns: select.map(({ label }) => label),
    results: rows.slice(0, limit).map(row => wordRow(select, row)),
    types: select.map(({ expression }) => typeOf(expression)),
    hasMore: rows.length > limit,
    limit,
    offset,
  };
}

function wordRow(
  select: EventsPlan['select'],
  row: readonly Cell[],
): unknown[] {
  let at = 0;
  return select.map(({ expression }) => {
    if (expression.kind === 'everything') {
      const cells = row.slice(at, at + EVENT_CELLS.length);
      at += EVENT_CELLS.length;
      return wordEvent(cells);
    }
    const cell = row[at];
    at += 1;
    return wordCell(expression, cell);
  });
}

function wordEvent(cells: readonly Cell[]): Record<string, unknown> {
  return Object.fromEntries(
    EVENT_CELLS.map((name, index) => [
      name,
      wordCell({ kind: 'column', name }, cells[index]),
    ]),
  );
}

function wordCell(expression: Operand, cell: Cell): unknown {
  if (cell === null) {
    return null;
  }
  switch (kindOf(expression)) {
    case 'json':
      return JSON.parse(String(cell));
    case 'time': {
      const text = new Date(Number(cell)).toISOString();
      return isDate(expression) ? text.slice(0, 10) : text;
    }
    default:
      return cell;
  }
}

function isDate(expression: Operand): boolean {
  return expression.kind === 'aggregate'
    ? expression.of !== undefined && isDate(expression.of)
    : expression.kind === 'truncated' && expression.asDate;
}

function typeOf(expression: Expression): string {
  if (expression.kind === 'everything') {
    return 'JSON';
  }
  if (expression.kind === 'column') {
    return columnTypes[expression.name];
  }
  if (
    expression.kind === 'aggregate' &&
    expression.function.startsWith('count')
  ) {
    return 'UInt64';
  }
  const type = {
    text: 'String',
    number: 'Float64',
    json: 'JSON',
    time: isDate(expression) ? 'Date' : "DateTime64(3, 'UTC')",
  }[kindOf(expression)];
  return expression.kind === 'truncated' ? type : `Nullable(${type})`;
}
