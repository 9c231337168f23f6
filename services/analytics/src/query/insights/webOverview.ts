import {
  type Aggregate,
  allOf,
  call,
  COUNT,
  countDistinct,
  equals,
  type Expression,
  field,
  type Select,
  valueOf,
} from '../language/Expression.ts';
import type { InsightAnswer, Query } from '../schemas.ts';
import {
  assertInsight,
  type Buckets,
  EVENT,
  PERSON,
  readBuckets,
  unitOf,
  sourceOf,
  TIMESTAMP,
} from './buckets.ts';
import { earlierBuckets } from './earlierBuckets.ts';
import type { InsightContext } from '../QueryContext.ts';
import { sharedFilters } from './series.ts';
import { assertOfPeople } from './subject.ts';

/** A session of at least this many milliseconds is not a bounce. */
const BOUNCE_MS = 10_000;
/** Maximum length of a session in milliseconds: SDKs begin another one after a day at the latest. */
const LONGEST_SESSION_MS = 24 * 3_600_000;

const SESSION: Expression = {
  kind: 'property',
  path: ['$session_id'],
  as: 'text',
};

interface Metrics {
  readonly visitors: number;
  readonly views: number;
  readonly sessions: number;
  /** Average duration in seconds; like the bounce rate, null if there are no sessions. */
  readonly duration: number | null;
  /** Share of sessions that bounced, in percent. */
  readonly bounce: number | null;
}

/** Answers a WebOverviewQuery: visitors, views, sessions, duration and bounce rate. */
export async function answerWebOverview(
  query: Query,
  context: InsightContext,
): Promise<InsightAnswer> {
  assertInsight(query, { compares: true });
  assertOfPeople(query, 'a TrendsQuery with math: unique_group');
  const where = sharedFilters(query, context);
  const interval = unitOf(query.dateRange ?? {});
  const asked = { ...query, interval };
  const buckets = await readBuckets(asked, context, { isWhole: true });
  const { compareFilter = {} } = query;
  const [current, previous] = await Promise.all([
    measure(buckets, where, context),
    compareFilter.compare
      ? measure(earlierBuckets(buckets, query), where, context)
      : undefined,
  ]);
  const item = (
    key: string,
    kind: 'unit' | 'duration_s' | 'percentage',
    name: keyof Metrics,
  ) => {
    const [value, before] = [current[name], previous?.[name] ?? null];
    return {
      key,
      kind,
      value,
      previous: before,
      changeFromPreviousPct:
        before && value !== null
          ? Math.round((100 * (value - before)) / before)
          : null,
      isIncreaseBad: name === 'bounce',
    };
  };
  return {
    results: [
      item('visitors', 'unit', 'visitors'),
      item('views', 'unit', 'views'),
      item('sessions', 'unit', 'sessions'),
      item('session duration', 'duration_s', 'duration'),
      item('bounce rate', 'percentage', 'bounce'),
    ],
  };
}

/**
 * Measures the views in a period that match a filter, and the sessions that began in it
 * with such a view. The duration of a session, and whether it was a bounce, depend on all
 * of its events.
 */
async function measure(
  buckets: Buckets,
  where: readonly Expression[],
  context: InsightContext,
): Promise<Metrics> {
  const { projectId } = context;
  const is = (...names: string[]) =>
    call('in', [EVENT, ...names.map(name => valueOf(name))], 'boolean');
  const count = (when: Expression): Aggregate => ({ ...COUNT, when });
  const isView = is('$pageview', '$screen');
  const extreme = (name: 'min' | 'max'): Aggregate => ({
    kind: 'aggregate',
    function: name,
    args: [TIMESTAMP],
    of: 'time',
  });
  const isWithin = (time: Expression) => [
    call(
      'greaterOrEquals',
      [time, valueOf(buckets.starts[0], 'time')],
      'boolean',
    ),
    call('less', [time, valueOf(buckets.end, 'time')], 'boolean'),
  ];
  const sessions: Select = {
    kind: 'select',
    from: {
      kind: 'events',
      projectId,
      after: buckets.starts[0] - LONGEST_SESSION_MS,
      before: buckets.end + LONGEST_SESSION_MS,
    },
    columns: [
      call('minus', [extreme('max'), extreme('min')], 'number'),
      count(isView),
      count(is('$autocapture')),
      count(allOf([isView, ...isWithin(TIMESTAMP), ...where])),
    ],
    where: [call('isNotNull', [SESSION], 'boolean')],
    groupBy: [SESSION],
    having: isWithin(extreme('min')),
  };
  const hasMatch = call('greater', [field(3, 'number'), valueOf(0)], 'boolean');
  const isBounce = allOf([
    hasMatch,
    equals(field(1, 'number'), 1),
    equals(field(2, 'number'), 0),
    call('less', [field(0, 'number'), valueOf(BOUNCE_MS)], 'boolean'),
  ]);
  const select = (
    parts: Pick<Select, 'from' | 'columns' | 'where'>,
  ): Select => ({ kind: 'select', ...parts, groupBy: [] });
  const [people, visits] = await Promise.all([
    context.ask(
      select({
        from: sourceOf(buckets, { projectId }),
        columns: [{ ...countDistinct(PERSON), when: isView }, count(isView)],
        where,
      }),
    ),
    context.ask(
      select({
        from: sessions,
        columns: [
          count(hasMatch),
          {
            kind: 'aggregate',
            function: 'avg',
            args: [field(0, 'number')],
            when: hasMatch,
            of: 'number',
          },
          count(isBounce),
        ],
        where: [],
      }),
    ),
  ]);
  const [visitors, views] = (people.rows[0] ?? []).map(Number);
  const [number, milliseconds, bounces] = (visits.rows[0] ?? []).map(Number);
  return {
    visitors: visitors ?? 0,
    views: views ?? 0,
    sessions: number ?? 0,
    duration: number ? Math.round(milliseconds / 1_000) : null,
    bounce: number ? Math.round((1_000 * bounces) / number) / 10 : null,
  };
}
