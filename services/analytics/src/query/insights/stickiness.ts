import {
  call,
  COUNT,
  type Expression,
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
} from './buckets.ts';
import { comparedPeriods, type Period } from './earlierBuckets.ts';
import type { InsightContext } from '../QueryContext.ts';
import {
  eventsIn,
  type Matching,
  nameOf,
  readSeries,
  seriesOf,
  sharedFilters,
} from './series.ts';
import { readSubject, type Subject } from './subject.ts';

/** The comparisons of numbers of intervals, by their names in queries. */
export const OPERATORS = {
  gte: 'greaterOrEquals',
  lte: 'lessOrEquals',
  exact: 'equals',
} as const;

/** A parsed series. */
interface Asked {
  readonly series: Series;
  readonly matching: Matching;
  readonly subject: Subject;
  readonly where: readonly Expression[];
  /** The condition for an interval to count; empty if one event is enough. */
  readonly having: readonly Expression[];
}

/** A parsed StickinessQuery. */
interface Stickiness {
  readonly asked: readonly Asked[];
  readonly periods: readonly Period[];
  /** True if each number includes the people who were active in more intervals. */
  readonly isCumulative: boolean;
}

/** Parses a StickinessQuery. */
export async function readStickiness(
  query: Query,
  context: InsightContext,
): Promise<Stickiness> {
  assertInsight(query, { compares: true });
  const { stickinessFilter = {} } = query;
  const buckets = await readBuckets(query, context);
  const { stickinessCriteria: criteria, computedAs } = stickinessFilter;
  const asked = seriesOf(query).map((series, order): Asked => {
    const matching = readSeries(series, `query.series.${order}`, context);
    const subject = readSubject(query, context);
    return {
      series,
      matching,
      subject,
      where: [
        ...subject.where,
        ...sharedFilters(query, context),
        ...matching.where,
      ],
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
  });
  return {
    asked,
    periods: comparedPeriods(buckets, query),
    isCumulative: computedAs === 'cumulative',
  };
}

/**
 * Selects one row per person: the number of buckets in which they were active.
 * @param options.conditions - conditions on people.
 * @param options.named - adds the person as the last field.
 */
export function selectActivity(
  { matching, subject, where, having }: Asked,
  buckets: Buckets,
  options: {
    context: InsightContext;
    conditions?: readonly Expression[];
    named?: boolean;
  },
): Select {
  const { context, conditions = [], named = false } = options;
  const bucket = bucketOf(buckets);
  const person = field(0, 'text');
  return {
    kind: 'select',
    from: {
      kind: 'select',
      from: eventsIn(matching, buckets, context),
      columns: [subject.key, bucket],
      where: [...where, ...conditions],
      groupBy: [subject.key, bucket],
      having,
    },
    columns: [COUNT, ...(named ? [person] : [])],
    where: [],
    groupBy: [person],
  };
}

/** Answers a StickinessQuery: on how many days people did something. */
export async function answerStickiness(
  query: Query,
  context: InsightContext,
): Promise<InsightAnswer> {
  const { asked, periods, isCumulative } = await readStickiness(query, context);
  const results = await Promise.all(
    asked.flatMap((each, order) =>
      periods.map(async ({ buckets, label }) => ({
        ...present(each.series, {
          people: await countPeople(each, buckets, context),
          order,
          unit: buckets.unit,
          isCumulative,
        }),
        ...(periods.length > 1 && { compare: true, compare_label: label }),
      })),
    ),
  );
  return { results };
}

/** Returns how many people were active in exactly one bucket, in two, and so on. */
async function countPeople(
  asked: Asked,
  buckets: Buckets,
  context: InsightContext,
): Promise<number[]> {
  const days = field(0, 'number');
  const { rows } = await context.ask({
    kind: 'select',
    from: selectActivity(asked, buckets, { context }),
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
  series: Series,
  options: {
    people: readonly number[];
    order: number;
    unit: string;
    isCumulative: boolean;
  },
): object {
  const { people, order, unit, isCumulative } = options;
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
