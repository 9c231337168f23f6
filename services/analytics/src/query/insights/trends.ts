import {
  COUNT,
  type Expression,
  type PlanRows,
  type Select,
} from '../language/Expression.ts';
import type { InsightAnswer, Query } from '../schemas.ts';
import { selectActive } from './activePeople.ts';
import {
  type BreakdownValues,
  MAX_COUNTS,
  shownCounts,
  shownValue,
  shownValues,
  topOfCounts,
} from './breakdowns.ts';
import { type Buckets, bucketOf } from './buckets.ts';
import type { InsightContext } from '../QueryContext.ts';
import { activeDays } from './maths.ts';
import type { Breakdown } from './readBreakdown.ts';
import { eventsIn } from './series.ts';
import { type Line, presentTrends } from './trendResults.ts';
import { type Asked, readTrends, topValues } from './trendSeries.ts';

/** Answers a TrendsQuery: how often something happened over time. */
export async function answerTrends(
  query: Query,
  context: InsightContext,
): Promise<InsightAnswer> {
  const trends = await readTrends(query, context);
  const { asked, breakdown, buckets, periods, isTotal, isCumulative } = trends;
  const found = await Promise.all(
    asked.map(async (each, order) => {
      const counts =
        breakdown && !isTotal && each.value === COUNT
          ? await countAll(each, breakdown, { buckets, context })
          : undefined;
      const values = breakdown && {
        by: breakdown.by,
        hidesOther: breakdown.hidesOther,
        ...(counts
          ? topOfCounts(counts, breakdown.limit)
          : await topValues(each, breakdown, { buckets, context })),
      };
      const drawn = await Promise.all(
        periods.map(async period => {
          const lines =
            counts && values && period.buckets === buckets
              ? drawLines(shownCounts(counts, values), { buckets, values })
              : await (isTotal ? totalsOf : linesOf)(each, {
                  buckets: period.buckets,
                  values,
                  context,
                });
          return lines.map((line): Line => ({
            ...line,
            ...(isCumulative && { numbers: runningTotals(line.numbers) }),
            series: each.series,
            order,
            ...period,
          }));
        }),
      );
      return { lines: drawn.flat(), hasMore: values?.hasMore ?? false };
    }),
  );
  return {
    results: presentTrends(
      found.flatMap(({ lines }) => lines),
      {
        query,
        breakdown,
        isTotal,
        isCumulative,
        isCompared: periods.length > 1,
      },
    ),
    hasMore: found.some(({ hasMore }) => hasMore),
  };
}

function runningTotals(numbers: readonly number[]): number[] {
  let total = 0;
  return numbers.map(number => {
    total += number;
    return total;
  });
}

/**
 * Counts all values by bucket in one query, so that events are read only once; undefined if
 * there are too many values.
 */
async function countAll(
  { matching, value, where }: Asked,
  { by }: Breakdown,
  { buckets, context }: { buckets: Buckets; context: InsightContext },
): Promise<[number, number, string | null][] | undefined> {
  const bucket = bucketOf(buckets);
  const { rows } = await context.ask({
    ...grouped(eventsIn(matching, buckets, context), {
      columns: [bucket, value, by],
      where,
      groupBy: [bucket, by],
    }),
    limit: MAX_COUNTS,
    maxGroups: MAX_COUNTS,
  });
  return rows.length > MAX_COUNTS
    ? undefined
    : rows.map(([at, count, of]) => [
        Number(at),
        Number(count),
        of as string | null,
      ]);
}

/** The values of a breakdown, and how they are shown. */
type Values = BreakdownValues & Pick<Breakdown, 'by' | 'hidesOther'>;

interface Asking {
  readonly buckets: Buckets;
  readonly values: Values | undefined;
  readonly context: InsightContext;
}

type Numbers = Pick<Line, 'value' | 'numbers'>;

/** Returns a number per bucket for each breakdown value. */
async function linesOf(asked: Asked, asking: Asking): Promise<Numbers[]> {
  const { buckets, values } = asking;
  const width = activeDays(asked.series);
  const { rows, placeOf } = width
    ? await askActive(asked, { ...asking, width })
    : await askBuckets(asked, asking);
  return drawLines(rows, { buckets, values, placeOf });
}

/**
 * Returns the numbers of each displayed value from rows of bucket, number and value.
 * @param options.placeOf - returns the first field of a bucket's rows, by the bucket's
 *   index.
 */
function drawLines(
  rows: Rows,
  options: {
    buckets: Buckets;
    values: Values | undefined;
    placeOf?: (bucket: number) => number;
  },
): Numbers[] {
  const { buckets, values, placeOf = index => index } = options;
  const numbersOf = (value: string | undefined) => {
    const numbers = new Map(
      rows
        .filter(row => value === undefined || row[2] === value)
        .map(([bucket, number]) => [Number(bucket), Number(number ?? 0)]),
    );
    return buckets.starts.map((_, index) => numbers.get(placeOf(index)) ?? 0);
  };
  return values
    ? shownValues(values, values).map(value => ({
        value,
        numbers: numbersOf(value),
      }))
    : [{ numbers: numbersOf(undefined) }];
}

type Rows = PlanRows['rows'];

async function askBuckets(
  { matching, value, where }: Asked,
  { buckets, values, context }: Asking,
): Promise<{ rows: Rows; placeOf: (bucket: number) => number }> {
  const bucket = bucketOf(buckets);
  const keys = [bucket, ...(values ? [shownValue(values.by, values)] : [])];
  const { rows } = await context.ask(
    grouped(eventsIn(matching, buckets, context), {
      columns: [bucket, value, ...keys.slice(1)],
      where,
      groupBy: keys,
    }),
  );
  return { rows, placeOf: index => index };
}

/** Returns the people active in the last 7 or 30 days, as of the first day of each bucket. */
async function askActive(
  { matching, where }: Asked,
  { buckets, values, context, width }: Asking & { width: number },
): Promise<{ rows: Rows; placeOf: (bucket: number) => number }> {
  const { select, placeOf } = selectActive(buckets, width, {
    from: range => eventsIn(matching, range, context),
    where,
    ...(values && { shown: shownValue(values.by, values) }),
  });
  const { rows } = await context.ask(select);
  return { rows, placeOf };
}

/** Returns one number for the whole period per breakdown value. */
async function totalsOf(
  { matching, value, where }: Asked,
  { buckets, values, context }: Asking,
): Promise<Numbers[]> {
  const keys = values ? [shownValue(values.by, values)] : [];
  const { rows } = await context.ask(
    grouped(eventsIn(matching, buckets, context), {
      columns: [value, ...keys],
      where,
      groupBy: keys,
    }),
  );
  return values
    ? shownValues(values, values).map(shown => ({
        value: shown,
        numbers: [Number(rows.find(row => row[1] === shown)?.[0] ?? 0)],
      }))
    : [{ numbers: [Number(rows[0]?.[0] ?? 0)] }];
}

function grouped(
  from: Select['from'],
  parts: Pick<Select, 'columns' | 'where'> & { groupBy: readonly Expression[] },
): Select {
  return { kind: 'select', from, ...parts };
}
