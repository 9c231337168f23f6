import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import {
  type Aggregate,
  type Cell,
  type Condition,
  EVENT_CELLS,
  type EventsPlan,
  type Expression,
  type Operand,
  type RowExpression,
} from '../query/language/EventsPlan.ts';

/** What stores have to answer, worked out over a plain list, without SQL. */
export function answerByHand(
  all: readonly AnalyticsEvent[],
  plan: EventsPlan,
): Cell[][] {
  const seen = new Set<string>();
  const events = all.filter(event => {
    const { projectId, uuid, timestamp } = event;
    const isNew = !seen.has(`${projectId} ${uuid}`);
    seen.add(`${projectId} ${uuid}`);
    return (
      isNew &&
      projectId === plan.projectId &&
      (plan.after === undefined || timestamp > plan.after) &&
      timestamp < plan.before &&
      (plan.events?.includes(event.event) ?? true) &&
      plan.where.every(condition => holds(condition, [event]))
    );
  });
  const groups = plan.isAggregated
    ? groupsOf(events, plan)
    : events.map(event => [event]);
  const kept = groups.filter(group =>
    plan.having.every(condition => holds(condition, group)),
  );
  kept.sort((left, right) => {
    for (const { expression, descending } of plan.orderBy) {
      const order = compare(
        valueOf(expression, left),
        valueOf(expression, right),
        descending,
      );
      if (order !== 0) {
        return order;
      }
    }
    const ties: Operand[] = plan.isAggregated
      ? plan.select.map(({ expression }) => expression).filter(isOfRow)
      : [{ kind: 'column', name: 'uuid' }];
    for (const tie of ties) {
      const order = compare(valueOf(tie, left), valueOf(tie, right), false);
      if (order !== 0) {
        return order;
      }
    }
    return 0;
  });
  return kept
    .slice(plan.offset, plan.offset + plan.limit + 1)
    .map(group =>
      plan.select.flatMap(({ expression }) =>
        expression.kind === 'everything'
          ? EVENT_CELLS.map(name => valueOf({ kind: 'column', name }, group))
          : [valueOf(expression, group)],
      ),
    );
}

function groupsOf(
  events: readonly AnalyticsEvent[],
  plan: EventsPlan,
): AnalyticsEvent[][] {
  const keys = plan.select.map(({ expression }) => expression).filter(isOfRow);
  const groups = new Map<string, AnalyticsEvent[]>();
  if (keys.length === 0) {
    groups.set('', []);
  }
  for (const event of events) {
    const key =
      keys.length === 0
        ? ''
        : JSON.stringify(keys.map(expression => ofRow(expression, event)));
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()];
}

function isOfRow(expression: Expression): expression is RowExpression {
  return expression.kind !== 'everything' && expression.kind !== 'aggregate';
}

function valueOf(expression: Operand, group: readonly AnalyticsEvent[]): Cell {
  return expression.kind === 'aggregate'
    ? aggregate(expression, group)
    : ofRow(expression, group[0]);
}

function aggregate(
  { function: name, of }: Aggregate,
  group: readonly AnalyticsEvent[],
): Cell {
  if (!of) {
    return group.length;
  }
  const values = group
    .map(event => ofRow(of, event))
    .filter((value): value is string | number => value !== null);
  const sum = () =>
    values.reduce<number>((total, each) => total + Number(each), 0);
  const ordered = () =>
    values.toSorted((left, right) => compare(left, right, false));
  switch (name) {
    case 'count':
      return values.length;
    case 'countDistinct':
      return new Set(values).size;
    case 'sum':
      return values.length ? sum() : null;
    case 'avg':
      return values.length ? sum() / values.length : null;
    case 'min':
      return ordered()[0] ?? null;
    default:
      return ordered().at(-1) ?? null;
  }
}

function ofRow(expression: RowExpression, event: AnalyticsEvent): Cell {
  switch (expression.kind) {
    case 'column':
      return {
        uuid: event.uuid,
        event: event.event,
        properties: event.properties,
        timestamp: event.timestamp,
        distinct_id: event.distinctId,
        created_at: event.createdAt,
      }[expression.name];
    case 'truncated': {
      const date = new Date(
        expression.of === 'timestamp' ? event.timestamp : event.createdAt,
      );
      return startOf(expression.unit, date);
    }
    default: {
      const properties: Record<string, unknown> = JSON.parse(event.properties);
      const value = Object.hasOwn(properties, expression.name)
        ? properties[expression.name]
        : null;
      if (expression.kind === 'number') {
        return typeof value === 'number' ? value : null;
      }
      if (value === null || typeof value === 'string') {
        return value;
      }
      return JSON.stringify(value);
    }
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
      return Date.UTC(year, month, day, date.getUTCHours());
    case 'day':
      return Date.UTC(year, month, day);
    case 'week':
      return Date.UTC(year, month, day - date.getUTCDay());
    default:
      return Date.UTC(year, month, 1);
  }
}

function holds(
  condition: Condition,
  group: readonly AnalyticsEvent[],
): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.all.every(each => holds(each, group));
    case 'or':
      return condition.all.some(each => holds(each, group));
    case 'not':
      return !holds(condition.of, group);
    default:
  }
  const value = valueOf(condition.left, group);
  switch (condition.kind) {
    case 'absent':
      return (value === null) !== condition.negated;
    case 'in':
      return (
        (value !== null && condition.values.includes(value)) !==
        condition.negated
      );
    case 'like': {
      const { pattern, caseless, negated } = condition;
      return (
        (value !== null && like(String(value), pattern, caseless)) !== negated
      );
    }
    default: {
      const { operator, right } = condition;
      if (value === null) {
        return operator === '!=';
      }
      const order = compare(value, right, false);
      return {
        '=': order === 0,
        '!=': order !== 0,
        '<': order < 0,
        '<=': order <= 0,
        '>': order > 0,
        '>=': order >= 0,
      }[operator];
    }
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

/** Texts by their bytes in UTF-8; nothing comes last, whichever way. */
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
