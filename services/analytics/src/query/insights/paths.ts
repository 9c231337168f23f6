import { call, COUNT, field, valueOf } from '../language/Expression.ts';
import { assertEmpty } from '../faults.ts';
import type { InsightAnswer, Query } from '../schemas.ts';
import { assertInsight, endOf, readRange, TIMESTAMP } from './buckets.ts';
import type { InsightContext } from '../QueryContext.ts';
import { includedBy, itemOf } from './pathItems.ts';
import { sharedFilters } from './series.ts';
import { itemsOf, type ListPerSubject, readSubject } from './subject.ts';

/** A visit ends after half an hour without an event. */
const GAP_MS = 30 * 60_000;

const move = field(0, 'json');

/** The parts of a move; moves are the items of a person's list. */
export const MOVE = {
  /** The number of the step that it begins with, from 1. */
  step: call('item', [move, valueOf(0)], 'number'),
  from: call('item', [move, valueOf(1)], 'text'),
  to: call('item', [move, valueOf(2)], 'text'),
  /** Duration of the move in milliseconds. */
  time: call('item', [move, valueOf(3)], 'number'),
} as const;

/** Parses a PathsQuery: the moves of each person. */
export async function readPaths(
  query: Query,
  context: InsightContext,
): Promise<ListPerSubject> {
  assertInsight(query);
  const { pathsFilter = {} } = query;
  assertEmpty(
    pathsFilter,
    ['pathReplacements', 'pathsHogQLExpression', 'pathDropoffKey'],
    {
      path: 'query.pathsFilter',
      instead: {
        pathReplacements: 'localPathCleaningFilters',
        pathsHogQLExpression: 'includeEventTypes',
        pathDropoffKey: 'pathStartKey and pathEndKey',
      },
    },
  );
  const {
    stepLimit: steps = 5,
    startPoint: start,
    endPoint: end,
  } = pathsFilter;
  const item = itemOf(pathsFilter);
  const shared = sharedFilters(query, context);
  const subject = readSubject(query, context);
  const { from, to } = await readRange(query, context);
  const { calendar } = context;
  return {
    subject,
    events: { after: from - 1, before: endOf(to, { unit: 'day', calendar }) },
    where: [...shared, ...includedBy(pathsFilter, item)],
    columns: [TIMESTAMP, item, { kind: 'column', name: 'uuid' }],
    list: {
      kind: 'aggregate',
      function: {
        kind: 'paths',
        gapMs: GAP_MS,
        steps,
        ...(start && { start }),
        ...(end && { end }),
      },
      args: [field(1, 'time'), field(2, 'text'), field(3, 'text')],
      of: 'json',
    },
  };
}

/** Answers a PathsQuery: how people move from one page or event to the next. */
export async function answerPaths(
  query: Query,
  context: InsightContext,
): Promise<InsightAnswer> {
  const lists = await readPaths(query, context);
  const {
    edgeLimit = 50,
    minEdgeWeight: least = 0,
    maxEdgeWeight: most,
  } = query.pathsFilter ?? {};
  const keys = [MOVE.step, MOVE.from, MOVE.to];
  const { rows } = await context.ask({
    kind: 'select',
    from: itemsOf(lists, context),
    columns: [
      ...keys,
      COUNT,
      { kind: 'aggregate', function: 'avg', args: [MOVE.time], of: 'number' },
    ],
    where: [],
    groupBy: keys,
    having: [
      call('greaterOrEquals', [COUNT, valueOf(least)], 'boolean'),
      ...(most === undefined
        ? []
        : [call('lessOrEquals', [COUNT, valueOf(most)], 'boolean')]),
    ],
    orderBy: [{ expression: COUNT, descending: true }],
    limit: edgeLimit,
  });
  return {
    results: reachable(
      rows.slice(0, edgeLimit).map(([step, source, target, value, time]) => ({
        source: `${step}_${source}`,
        target: `${Number(step) + 1}_${target}`,
        value: Number(value),
        average_conversion_time: Number(time),
      })),
    ),
    hasMore: rows.length > edgeLimit,
  };
}

interface Edge {
  readonly source: string;
  readonly target: string;
  readonly value: number;
  readonly average_conversion_time: number;
}

/** Removes edges that cannot be reached from a first step. */
function reachable(edges: readonly Edge[]): Edge[] {
  const reached = new Set<string>();
  const placeOf = ({ source }: Edge) => Number(source.split('_', 1)[0]);
  for (const edge of [...edges].sort((a, b) => placeOf(a) - placeOf(b))) {
    if (placeOf(edge) === 1 || reached.has(edge.source)) {
      reached.add(edge.source);
      reached.add(edge.target);
    }
  }
  return edges.filter(({ source }) => reached.has(source));
}
