import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import {
  type Aggregate,
  type Call,
  type Cell,
  type ColumnName,
  type EventsPlan,
  type Expression,
  keyOf,
  type Property,
  type Select,
} from '../query/language/Expression.ts';

/** Computes the expected rows of a query over a plain list of events, without SQL. */
export function answerByHand(
  all: readonly AnalyticsEvent[],
  { select }: EventsPlan,
): Cell[][] {
  const { columns, groupBy, having = [], orderBy = [] } = select;
  const { offset = 0, limit = 0 } = select;
  const rows = eventsOf(all, select);
  const groups = groupBy ? groupsOf(rows, groupBy) : rows.map(event => [event]);
  const kept = groups.filter(group =>
    having.every(each => valueOf(each, group) === 1),
  );
  const ties: readonly Expression[] = groupBy ?? [
    { kind: 'column', name: 'uuid' },
  ];
  const ordered = [
    ...orderBy,
    ...ties.map(expression => ({ expression, descending: false })),
  ];
  kept.sort((left, right) =>
    ordered
      .map(({ expression, descending }) =>
        compare(
          valueOf(expression, left),
          valueOf(expression, right),
          descending,
        ),
      )
      .reduce((first, next) => first || next, 0),
  );
  return kept
    .slice(offset, offset + limit + 1)
    .map(group => columns.map(each => valueOf(each, group)));
}

function eventsOf(
  all: readonly AnalyticsEvent[],
  { from, where }: Select,
): AnalyticsEvent[] {
  if (from.kind !== 'events') {
    throw new Error('Only events are answered by hand');
  }
  const { projectId: own, after, before, events } = from;
  const seen = new Set<string>();
  return all.filter(event => {
    const { projectId, uuid, timestamp } = event;
    const isNew = !seen.has(`${projectId} ${uuid}`);
    seen.add(`${projectId} ${uuid}`);
    return (
      isNew &&
      projectId === own &&
      (after === undefined || timestamp > after) &&
      (before === undefined || timestamp < before) &&
      (events?.includes(event.event) ?? true) &&
      where.every(each => ofRow(each, event) === 1)
    );
  });
}

function groupsOf(
  events: readonly AnalyticsEvent[],
  keys: readonly Expression[],
): AnalyticsEvent[][] {
  const groups = new Map<string, AnalyticsEvent[]>();
  if (keys.length === 0) {
    groups.set('[]', []);
  }
  for (const event of events) {
    const key = JSON.stringify(keys.map(each => ofRow(each, event)));
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()];
}

/** Returns the value of an expression for a group; a single event is a group too. */
function valueOf(
  expression: Expression,
  group: readonly AnalyticsEvent[],
): Cell {
  switch (expression.kind) {
    case 'aggregate':
      return aggregate(expression, group);
    case 'value':
      return expression.value;
    case 'call':
      return called(
        expression,
        expression.args.map(arg => valueOf(arg, group)),
      );
    default:
      return ofRow(expression, group[0]);
  }
}

function ofRow(expression: Expression, event: AnalyticsEvent): Cell {
  switch (expression.kind) {
    case 'column': {
      const columns: Partial<Record<ColumnName, Cell>> = {
        uuid: event.uuid,
        event: event.event,
        properties: event.properties,
        timestamp: event.timestamp,
        distinct_id: event.distinctId,
        created_at: event.createdAt,
        person: event.distinctId,
      };
      return columns[expression.name] ?? null;
    }
    case 'property':
      return propertyOf(expression, event);
    case 'value':
      return expression.value;
    case 'call':
      return called(
        expression,
        expression.args.map(arg => ofRow(arg, event)),
      );
    default:
      throw new Error(`No value of one event: ${keyOf(expression)}`);
  }
}

function propertyOf(
  { path, as }: Property,
  { properties }: AnalyticsEvent,
): Cell {
  const found = path.reduce<unknown>(
    (of, name) =>
      typeof of === 'object' && of !== null && !Array.isArray(of)
        ? Object.getOwnPropertyDescriptor(of, name)?.value
        : undefined,
    JSON.parse(properties),
  );
  if (found === undefined || found === null) {
    return null;
  }
  if (as === 'number') {
    return typeof found === 'number' ? found : null;
  }
  return typeof found === 'string' ? found : JSON.stringify(found);
}

function aggregate(
  { function: name, args, when, level }: Aggregate,
  group: readonly AnalyticsEvent[],
): Cell {
  const events = when ? group.filter(event => ofRow(when, event) === 1) : group;
  const [of] = args;
  if (!of) {
    return events.length;
  }
  const values = events
    .map(event => ofRow(of, event))
    .filter((value): value is string | number => value !== null);
  const sorted = () =>
    [...values].sort((left, right) => compare(left, right, false));
  const sum = () => values.reduce<number>((all, each) => all + Number(each), 0);
  switch (name) {
    case 'count':
      return values.length;
    case 'countDistinct':
      return new Set(values).size;
    default:
  }
  if (values.length === 0) {
    return null;
  }
  switch (name) {
    case 'sum':
      return sum();
    case 'avg':
      return sum() / values.length;
    case 'min':
      return sorted()[0];
    case 'max':
      return sorted().at(-1)!;
    case 'quantile': {
      const numbers = sorted().map(Number);
      const place = level! * (numbers.length - 1);
      const rest = place % 1;
      const low = numbers[Math.trunc(place)];
      return low + rest * ((numbers[Math.trunc(place) + 1] ?? low) - low);
    }
    default:
      throw new Error('Not answered by hand');
  }
}

const DAY_MS = 86_400_000;

/** Evaluates the calls that generated queries contain, in UTC. */
function called(
  { function: name, words = [], args: parts }: Call,
  args: readonly Cell[],
): Cell {
  const [left, right] = args;
  const truth = (is: boolean) => Number(is);
  const order = () => compare(left, right, false);
  const bothKnown = left !== null && right !== null;
  switch (name) {
    case 'and':
      return truth(args.every(each => each === 1));
    case 'or':
      return truth(args.includes(1));
    case 'not':
      return truth(left !== 1);
    case 'equals':
      return truth(bothKnown && order() === 0);
    case 'notEquals':
      return truth(!bothKnown || order() !== 0);
    case 'less':
      return truth(bothKnown && order() < 0);
    case 'lessOrEquals':
      return truth(bothKnown && order() <= 0);
    case 'greater':
      return truth(bothKnown && order() > 0);
    case 'greaterOrEquals':
      return truth(bothKnown && order() >= 0);
    case 'in':
      return truth(left !== null && args.slice(1).includes(left));
    case 'notIn':
      return truth(left === null || !args.slice(1).includes(left));
    case 'like':
    case 'ilike':
      return truth(
        left !== null && like(String(left), String(right), name === 'ilike'),
      );
    case 'isNull':
      return truth(left === null);
    case 'isNotNull':
      return truth(left !== null);
    case 'if':
      return left === 1 ? right : args[2];
    case 'coalesce':
      return args.find(each => each !== null) ?? null;
    case 'concat':
      return args.map(each => each ?? '').join('');
    case 'plus':
      return bothKnown ? Number(left) + Number(right) : null;
    case 'divide':
      return bothKnown && Number(right) !== 0
        ? Number(left) / Number(right)
        : null;
    case 'startOf':
    case 'dateOf':
      return startOf(words[0], new Date(Number(left)));
    default:
      throw new Error(`Not answered by hand: ${name} of ${parts.length}`);
  }
}

function startOf(unit: string, date: Date): number {
  const [year, month, day] = [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
  ];
  switch (unit) {
    case 'hour':
      return Math.floor(date.getTime() / 3_600_000) * 3_600_000;
    case 'week':
      return Date.UTC(year, month, day) - date.getUTCDay() * DAY_MS;
    case 'month':
      return Date.UTC(year, month, 1);
    default:
      return Date.UTC(year, month, day);
  }
}

function like(text: string, pattern: string, caseless: boolean): boolean {
  const source = [...pattern.matchAll(/\\([\\%_])|(.)/gsu)]
    .map(([, escaped, character]) => {
      if (escaped === undefined && character === '%') {
        return '.*';
      }
      return escaped === undefined && character === '_'
        ? '.'
        : (escaped ?? character).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`, caseless ? 'sui' : 'su').test(text);
}

/** Compares texts by their bytes in UTF-8; null comes last in either direction. */
function compare(left: Cell, right: Cell, descending: boolean): number {
  if (left === null || right === null) {
    return Number(left === null) - Number(right === null);
  }
  const order =
    typeof left === 'string' && typeof right === 'string'
      ? Buffer.compare(Buffer.from(left), Buffer.from(right))
      : Number(left) - Number(right);
  return descending ? -order : order;
}
