import { fault } from '../faults.ts';
import type { Series } from '../insightSchemas.ts';
import type { Expression } from '../language/Expression.ts';
import type { InsightContext } from '../QueryContext.ts';
import type { Query } from '../schemas.ts';
import { type BreakdownValues, selectTop, topOf } from './breakdowns.ts';
import { assertInsight, type Buckets, readBuckets } from './buckets.ts';
import { comparedPeriods, type Period } from './earlierBuckets.ts';
import { readMath } from './maths.ts';
import { type Breakdown, readBreakdown } from './readBreakdown.ts';
import {
  eventsIn,
  type Matching,
  readSeries,
  seriesOf,
  sharedFilters,
} from './series.ts';
import { assertOfPeople } from './subject.ts';

/** Displays that show a single number for the whole period. */
const OF_WHOLE_PERIOD: ReadonlySet<string> = new Set([
  'ActionsBarValue',
  'ActionsPie',
  'ActionsTable',
  'BoldNumber',
  'WorldMap',
]);

/** The display of running totals, such as all sales since the start. */
const CUMULATIVE = 'ActionsLineGraphCumulative';
/**
 * Ways of counting whose numbers may be added up across buckets; people would be counted
 * once per bucket.
 */
const ADDITIVE: ReadonlySet<string> = new Set(['total', 'sum']);

/** A parsed series. */
export interface Asked {
  readonly series: Series;
  readonly matching: Matching;
  readonly value: Expression;
  readonly where: readonly Expression[];
}

/** A parsed TrendsQuery. */
interface Trends {
  readonly asked: readonly Asked[];
  readonly breakdown: Breakdown | undefined;
  /** The buckets of the current period. */
  readonly buckets: Buckets;
  /** The current period, and the previous one if they are compared. */
  readonly periods: readonly Period[];
  /** True if each series has a single number. */
  readonly isTotal: boolean;
  /** True if each number includes the numbers before it. */
  readonly isCumulative: boolean;
}

/** Parses a TrendsQuery. */
export async function readTrends(
  query: Query,
  context: InsightContext,
): Promise<Trends> {
  assertInsight(query, { breaksDown: true, compares: true });
  assertOfPeople(query, 'math: unique_group with math_group_type_index');
  const { trendsFilter = {} } = query;
  const shared = sharedFilters(query, context);
  const asked = seriesOf(query).map((series, index): Asked => {
    const field = `query.series.${index}`;
    const matching = readSeries(series, field, context);
    return {
      series,
      matching,
      value: readMath(series, field, context),
      where: [...shared, ...matching.where],
    };
  });
  const breakdown = readBreakdown(query, context);
  const { display = '' } = trendsFilter;
  const isTotal = OF_WHOLE_PERIOD.has(display);
  const buckets = await readBuckets(query, context, { isWhole: isTotal });
  const periods = comparedPeriods(buckets, query);
  const isCumulative = display === CUMULATIVE;
  const unfit =
    isCumulative &&
    asked.find(({ series: { math = 'total' } }) => !ADDITIVE.has(math));
  if (unfit) {
    throw fault(
      'query.trendsFilter.display',
      `cannot be ${display} with math ${unfit.series.math}: use total or sum`,
    );
  }
  return { asked, breakdown, buckets, periods, isTotal, isCumulative };
}

/** Chooses the top values over the whole period, so that each line has all its points. */
export async function topValues(
  { matching, value, where }: Asked,
  { by, limit }: Breakdown,
  { buckets, context }: { buckets: Buckets; context: InsightContext },
): Promise<BreakdownValues> {
  const { rows } = await context.ask(
    selectTop(eventsIn(matching, buckets, context), {
      by,
      value,
      where,
      limit,
    }),
  );
  return topOf(rows, limit);
}
