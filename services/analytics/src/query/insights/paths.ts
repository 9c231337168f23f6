import {
  anyOf,
  call,
  COUNT,
  type Expression,
  field,
  not,
  valueOf,
} from '../language/Expression.ts';
import { assertEmpty } from '../faults.ts';
import type { InsightAnswer, Query } from '../schemas.ts';
import { assertInsight, EVENT, readRange, TIMESTAMP } from './buckets.ts';
import { readPattern } from '../readFilters.ts';
import { move, startOf } from '../time/zones.ts';
import type { InsightContext } from '../QueryContext.ts';
import { sharedFilters } from './series.ts';
import { itemsOf, readSubject } from './subject.ts';

/** A visit ends after half an hour without an event. */
const GAP_MS = 30 * 60_000;

const property = (name: string): Expression => ({
  kind: 'property',
  path: [name],
  as: 'text',
});

type PathsFilter = NonNullable<Query['pathsFilter']>;

/** Answers a PathsQuery: how people move from one page or event to the next. */
export async function answerPaths(
  query: Query,
  context: InsightContext,
): Promise<InsightAnswer> {
  assertInsight(query);
  const { pathsFilter = {} } = query;
  assertEmpty(pathsFilter, ['pathReplacements', 'pathsHogQLExpression'], {
    path: 'query.pathsFilter',
    instead: {
      pathReplacements: 'localPathCleaningFilters',
      pathsHogQLExpression: 'includeEventTypes',
    },
  });
  const {
    edgeLimit = 50,
    stepLimit: steps = 5,
    startPoint: start,
    endPoint: end,
    minEdgeWeight: least = 0,
    maxEdgeWeight: most,
  } = pathsFilter;
  const item = itemOf(pathsFilter);
  const shared = sharedFilters(query, context);
  const subject = readSubject(query, context);
  const { from, to } = await readRange(query, context);
  const { calendar } = context;
  const until = move(startOf(to, 'day', calendar), 'day', {
    steps: 1,
    zone: calendar.zone,
  });
  const edge = field(0, 'json');
  const part = (index: number, of: 'text' | 'number') =>
    call('item', [edge, valueOf(index)], of);
  const keys = [part(0, 'number'), part(1, 'text'), part(2, 'text')];
  const { rows } = await context.ask({
    kind: 'select',
    from: itemsOf(
      {
        subject,
        events: { after: from - 1, before: until },
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
      },
      context,
    ),
    columns: [
      ...keys,
      COUNT,
      {
        kind: 'aggregate',
        function: 'avg',
        args: [part(3, 'number')],
        of: 'number',
      },
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

/** Returns the label of a page, screen or other event in a path. */
function itemOf({
  pathGroupings = [],
  localPathCleaningFilters = [],
}: PathsFilter): Expression {
  const whole = call(
    'replaceRegexpOne',
    [
      call(
        'coalesce',
        [property('$current_url'), property('$pathname'), EVENT],
        'text',
      ),
      valueOf('(.)/$'),
      valueOf('\\1'),
    ],
    'text',
  );
  const address = localPathCleaningFilters.reduce<Expression>(
    (text, { regex, alias }, index) =>
      call(
        'replaceRegexpAll',
        [
          text,
          valueOf(
            readPattern(
              regex,
              `query.pathsFilter.localPathCleaningFilters.${index}.regex`,
            ),
          ),
          valueOf(alias),
        ],
        'text',
      ),
    whole,
  );
  const named = call(
    'if',
    [
      isEvent('$pageview'),
      address,
      call(
        'if',
        [
          isEvent('$screen'),
          call('coalesce', [property('$screen_name'), EVENT], 'text'),
          EVENT,
        ],
        'text',
      ),
    ],
    'text',
  );
  // The first matching grouping applies.
  return pathGroupings.reduceRight<Expression>(
    (otherwise, grouping) =>
      call(
        'if',
        [
          call('like', [named, valueOf(patternOf(grouping))], 'boolean'),
          valueOf(grouping),
          otherwise,
        ],
        'text',
      ),
    named,
  );
}

/** Converts a grouping to a pattern; `*` matches any text. */
function patternOf(grouping: string): string {
  return grouping.replace(/[\\%_]/g, '\\$&').replace(/\*/g, '%');
}

function isEvent(name: string): Expression {
  return call('equals', [EVENT, valueOf(name)], 'boolean');
}

function includedBy(
  { includeEventTypes = [], excludeEvents = [] }: PathsFilter,
  item: Expression,
): Expression[] {
  const kinds = includeEventTypes.map(type =>
    type === 'custom_event'
      ? not(call('startsWith', [EVENT, valueOf('$')], 'boolean'))
      : isEvent(type),
  );
  return [
    ...(kinds.length > 0 ? [anyOf(kinds)] : []),
    ...(excludeEvents.length > 0
      ? [
          call(
            'notIn',
            [item, ...excludeEvents.map(each => valueOf(each))],
            'boolean',
          ),
        ]
      : []),
  ];
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
