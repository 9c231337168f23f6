import {
  type Cell,
  type Expression,
  kindOf,
  type PlanRows,
} from './language/Expression.ts';
import { EVERYTHING, type Selection } from './language/buildSelect.ts';
import { zoneOf } from './language/coerce.ts';
import { withoutPeople } from './hidePeople.ts';
import type { TablePlan } from './planEventsQuery.ts';
import type { QueryAnswer } from './schemas.ts';
import { isoIn, isTime } from './time/zones.ts';

/** The format of cells. */
interface Presentation {
  readonly zone: string;
  readonly hidesPeople: boolean;
}

/**
 * Formats the rows of a store: times as text, JSON objects as objects, and without the
 * extra row beyond the limit.
 */
export function presentRows(
  { selections, select }: TablePlan,
  { rows }: PlanRows,
  options: Presentation,
): QueryAnswer {
  const { limit = rows.length, offset = 0 } = select;
  return {
    columns: selections.map(({ label }) => label),
    results: rows
      .slice(0, limit)
      .map(row => presentRow(row, selections, options)),
    types: selections.map(({ expression }) => typeOf(expression, options.zone)),
    hasMore: rows.length > limit,
    limit,
    offset,
  };
}

function presentRow(
  row: readonly Cell[],
  selections: readonly Selection[],
  options: Presentation,
): unknown[] {
  const { hidesPeople } = options;
  let at = 0;
  return selections.map(({ expression }) => {
    if (!expression) {
      const cells = row.slice(at, at + EVERYTHING.length);
      at += EVERYTHING.length;
      const event = presentEvent(cells, options);
      return hidesPeople ? withoutPerson(event) : event;
    }
    const cell = presentCell(expression, row[at], options.zone);
    at += 1;
    return hidesPeople && kindOf(expression) === 'json'
      ? withoutPeople(cell as Record<string, unknown>)
      : cell;
  });
}

function presentEvent(
  cells: readonly Cell[],
  { zone }: Presentation,
): Record<string, unknown> {
  return Object.fromEntries(
    EVERYTHING.map((expression, index) => [
      expression.kind === 'column' ? expression.name : '',
      presentCell(expression, cells[index], zone),
    ]),
  );
}

function withoutPerson(
  event: Record<string, unknown>,
): Record<string, unknown> {
  return {
    ...event,
    distinct_id: null,
    properties: withoutPeople(event.properties as Record<string, unknown>),
  };
}

function presentCell(
  expression: Expression,
  cell: Cell | undefined,
  zone: string,
): unknown {
  if (cell === null || cell === undefined) {
    return null;
  }
  switch (kindOf(expression)) {
    case 'json':
      return JSON.parse(String(cell));
    case 'texts':
    case 'numbers':
      return typeof cell === 'string' ? JSON.parse(cell) : cell;
    case 'time':
      return isTime(Number(cell))
        ? isoIn(zoneOf(expression) ?? zone, Number(cell))
        : null;
    case 'date':
      return isTime(Number(cell))
        ? new Date(Number(cell)).toISOString().slice(0, 10)
        : null;
    case 'boolean':
      return Number(cell) !== 0;
    default:
      return cell;
  }
}

function typeOf(expression: Expression | undefined, zone: string): string {
  if (!expression) {
    return 'JSON';
  }
  const isCount =
    expression.kind === 'aggregate' &&
    (expression.function === 'count' ||
      expression.function === 'countDistinct');
  if (isCount) {
    return 'UInt64';
  }
  const type = {
    text: 'String',
    number: 'Float64',
    boolean: 'Bool',
    json: 'JSON',
    texts: 'Array(String)',
    numbers: 'Array(Float64)',
    null: 'Nothing',
    time: `DateTime64(3, '${zoneOf(expression) ?? zone}')`,
    date: 'Date',
  }[kindOf(expression)];
  const isKnown =
    expression.kind === 'column' ||
    ['json', 'texts', 'numbers'].includes(kindOf(expression)) ||
    (expression.kind === 'call' &&
      ['startOf', 'dateOf', 'inZone'].includes(expression.function));
  if (expression.kind === 'column' && expression.name === 'uuid') {
    return 'UUID';
  }
  return isKnown ? type : `Nullable(${type})`;
}
