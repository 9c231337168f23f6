import { fault } from '../faults.ts';
import { call, COUNT, field, valueOf } from '../language/Expression.ts';
import type { InsightContext } from '../QueryContext.ts';
import { move, startOf } from '../time/zones.ts';
import { NONE } from './breakdowns.ts';
import { type Buckets, PERSON } from './buckets.ts';
import { activeDays } from './maths.ts';
import {
  bucketAt,
  bucketsAt,
  type SelectActors,
  type SelectedNumber,
  seriesAt,
} from './selectedNumber.ts';
import { readValue } from './selectedValue.ts';
import { eventsIn } from './series.ts';
import { OPERATORS, readStickiness, selectActivity } from './stickiness.ts';
import { assertOfPeople } from './subject.ts';
import { readTrends, topValues } from './trendSeries.ts';

/** Reads the people behind a number of a TrendsQuery. */
export async function readTrendActors(
  { query, source }: SelectedNumber,
  context: InsightContext,
): Promise<SelectActors> {
  const trends = await readTrends(query, context);
  const { breakdown, periods, isCumulative } = trends;
  const asked = seriesAt(trends.asked, source);
  const range = rangeOf(bucketsAt(periods, source), source.day, {
    isCumulative,
    width: activeDays(asked.series),
  });
  const { where: ofValue } = await readValue(breakdown?.by, source.breakdown, {
    breakdown,
    path: 'query.source.breakdown',
    none: NONE,
    top: of => topValues(asked, of, { buckets: trends.buckets, context }),
  });
  return conditions => ({
    kind: 'select',
    from: eventsIn(asked.matching, range, context),
    columns: [PERSON, COUNT],
    where: [...asked.where, ...ofValue, ...conditions],
    groupBy: [PERSON],
  });
}

/**
 * Returns the time that a number of a line covers: its bucket, or the whole period if no
 * day is given.
 */
function rangeOf(
  buckets: Buckets,
  day: string | number | undefined,
  options: { isCumulative: boolean; width: number | undefined },
): Buckets {
  const { starts, end, calendar } = buckets;
  const [first] = starts;
  if (day === undefined) {
    return { ...buckets, starts: [first] };
  }
  const index = bucketAt(buckets, day);
  const { isCumulative, width } = options;
  if (width !== undefined) {
    // People active within a number of days are counted as of the first day of a bucket.
    const on = startOf(starts[index], 'day', calendar);
    const after = (steps: number) =>
      startOf(move(on, 'day', { steps, zone: calendar.zone }), 'day', calendar);
    return { ...buckets, starts: [after(1 - width)], end: after(1) };
  }
  return {
    ...buckets,
    starts: [isCumulative ? first : starts[index]],
    end: starts[index + 1] ?? end,
  };
}

/** Reads the people behind a number of a StickinessQuery, who were active in that many intervals. */
export async function readStickinessActors(
  { query, source }: SelectedNumber,
  context: InsightContext,
): Promise<SelectActors> {
  assertOfPeople(query, 'a stickiness of people');
  const { asked, periods, isCumulative } = await readStickiness(query, context);
  const series = seriesAt(asked, source);
  const buckets = bucketsAt(periods, source);
  const { day, operator = isCumulative ? 'gte' : 'exact' } = source;
  const intervals = day === undefined ? 1 : Number(day);
  const most = buckets.starts.length;
  if (!(Number.isInteger(intervals) && intervals >= 1 && intervals <= most)) {
    throw fault(
      'query.source.day',
      `must be a number of intervals, 1 to ${most}`,
      'maximum',
    );
  }
  const number = field(0, 'number');
  const person = field(1, 'text');
  const compared = OPERATORS[day === undefined ? 'gte' : operator];
  return conditions => ({
    kind: 'select',
    from: selectActivity(series, buckets, { context, conditions, named: true }),
    columns: [person],
    where: [call(compared, [number, valueOf(intervals)], 'boolean')],
    groupBy: [person],
  });
}
