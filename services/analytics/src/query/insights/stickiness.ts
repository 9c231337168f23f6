import {
  call,
  COUNT,
  field,
  type Select,
  valueOf,
} from '../language/Expression.ts';
import type { Series } from '../insightSchemas.ts';
import type { InsightAnswer, Query } from '../schemas.ts';
import {
  assertInsight,
  type Buckets,
  bucketOf,
  readBuckets,
  sourceOf,
} from './buckets.ts';
import { earlierBuckets } from './earlierBuckets.ts';
import type { InsightContext } from '../QueryContext.ts';
import { nameOf, readSeries, seriesOf, sharedFilters } from './series.ts';
import { readSubject } from './subject.ts';

const OPERATORS = {
  gte: 'greaterOrEquals',
  lte: 'lessOrEquals',
  exact: 'equals',
} as const;

/** Answers a StickinessQuery: on how many days people did something. */
export async function answerStickiness(
  query: Query,
  context: InsightContext,
): Promise<InsightAnswer> {
  assertInsight(query, { compares: true });
  const { compareFilter = {} } = query;
  const buckets = await readBuckets(query, context);
  const periods = [
    { buckets, label: 'current' },
    ...(compareFilter.compare
      ? [{ buckets: earlierBuckets(buckets, query), label: 'previous' }]
      : []),
  ];
  const results = await Promise.all(
    seriesOf(query).flatMap((series, order) =>
      periods.map(async period => {
        const people = await countPeople(query, context, {
          series,
          order,
          buckets: period.buckets,
        });
        return {
          ...present(query, series, { people, order, unit: buckets.unit }),
          ...(periods.length > 1 && {
            compare: true,
            compare_label: period.label,
          }),
        };
      }),
    ),
  );
  return { results };
}

/** Returns how many people were active in exactly one bucket, in two, and so on. */
async function countPeople(
  query: Query,
  context: InsightContext,
  asked: { series: Series; order: number; buckets: Buckets },
): Promise<number[]> {
  const { series, order, buckets } = asked;
  const { event, where } = readSeries(series, `query.series.${order}`, context);
  const criteria = query.stickinessFilter?.stickinessCriteria;
  const subject = readSubject(query, context);
  const bucket = bucketOf(buckets);
  const active: Select = {
    kind: 'select',
    from: sourceOf(buckets, {
      projectId: context.projectId,
      ...(event !== undefined && { events: [event] }),
    }),
    columns: [subject.key, bucket],
    where: [...subject.where, ...sharedFilters(query, context), ...where],
    groupBy: [subject.key, bucket],
    having: criteria
      ? [
          call(
            OPERATORS[criteria.operator],
            [COUNT, valueOf(criteria.value)],
            'boolean',
          ),
        ]
      : [],
  };
  const person = field(0, 'text');
  const days = field(0, 'number');
  const { rows } = await context.ask({
    kind: 'select',
    from: {
      kind: 'select',
      from: active,
      columns: [COUNT],
      where: [],
      groupBy: [person],
    },
    columns: [days, COUNT],
    where: [],
    groupBy: [days],
  });
  const people = new Map(
    rows.map(([number, count]) => [Number(number), Number(count)]),
  );
  return buckets.starts.map((_, index) => people.get(index + 1) ?? 0);
}

function present(
  { stickinessFilter = {} }: Query,
  series: Series,
  options: { people: readonly number[]; order: number; unit: string },
): object {
  const { people, order, unit } = options;
  const isCumulative = stickinessFilter.computedAs === 'cumulative';
  const data = isCumulative
    ? people.map((_, index) =>
        people.slice(index).reduce((sum, number) => sum + number, 0),
      )
    : people;
  const name = nameOf(series);
  return {
    action: { id: series.event || null, type: 'events', order, name },
    label: name,
    count: data.reduce((sum, number) => sum + number, 0),
    data,
    days: people.map((_, index) => index + 1),
    labels: people.map(
      (_, index) =>
        `${index + 1} ${unit}${index === 0 ? '' : 's'}${
          isCumulative ? ' or more' : ''
        }`,
    ),
  };
}
