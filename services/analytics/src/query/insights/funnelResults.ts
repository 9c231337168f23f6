import type { Cell } from '../language/Expression.ts';
import type { InsightAnswer, Query } from '../schemas.ts';
import { bucketLabel, type Buckets, dayOf } from './buckets.ts';

/**
 * Formats the steps of a funnel as PostHog does.
 * @param row - the number of people in the first step, then for each other step their
 *   number, and the average and median seconds.
 * @param value - of the breakdown, in PostHog's shape.
 */
export function presentSteps(
  { series = [], funnelsFilter = {} }: Query,
  row: readonly Cell[],
  value?: string | readonly string[],
): object[] {
  const isUnordered = funnelsFilter.funnelOrderType === 'unordered';
  return series.map((each, order) => {
    const at = order === 0 ? 0 : 3 * order - 2;
    const completed = `Completed ${order + 1} step${order === 0 ? '' : 's'}`;
    return {
      action_id: isUnordered ? null : each.event || null,
      name: isUnordered ? completed : each.event || each.name || 'All events',
      custom_name: isUnordered ? null : (each.custom_name ?? null),
      order,
      people: [],
      count: Number(row[at] ?? 0),
      type: 'events',
      average_conversion_time: order === 0 ? null : secondsOf(row[at + 1]),
      median_conversion_time: order === 0 ? null : secondsOf(row[at + 2]),
      ...(value !== undefined && { breakdown: value, breakdown_value: value }),
    };
  });
}

function secondsOf(cell: Cell | undefined): number | null {
  return cell === null || cell === undefined ? null : Number(cell);
}

const MOST_BINS = 60;
const DEFAULT_WIDTH = 60;

interface Times {
  readonly count: number;
  /** Average seconds. */
  readonly average: number;
  readonly least: number;
  readonly most: number;
  readonly binCount: number | undefined;
}

/**
 * Formats conversion times as bins of equal width, plus one that begins at the maximum.
 * @param ask - returns the number of people in each bin, for a bin width in seconds.
 */
export async function presentBins(
  { count, average, least, most, binCount }: Times,
  ask: (width: number) => Promise<readonly (readonly Cell[])[]>,
): Promise<InsightAnswer> {
  if (!count) {
    return { results: [{ average_conversion_time: null, bins: [] }] };
  }
  const bins =
    binCount ?? Math.min(Math.max(Math.ceil(Math.cbrt(count)), 1), MOST_BINS);
  const width = Math.ceil((most - least) / bins) || DEFAULT_WIDTH;
  const people = new Map(
    (await ask(width)).map(([bin, number]) => [Number(bin), Number(number)]),
  );
  return {
    results: [
      {
        average_conversion_time: average,
        bins: Array.from({ length: bins + 1 }, (_, bin) => [
          Math.floor(least) + bin * width,
          people.get(bin) ?? 0,
        ]),
      },
    ],
  };
}

/**
 * Formats the percentage of people who started in a bucket and converted.
 * @param rows - bucket, number of people who started, number who converted.
 * @param value - of the breakdown, in PostHog's shape.
 */
export function presentFunnelTrends(
  buckets: Buckets,
  rows: readonly (readonly Cell[])[],
  value?: string | readonly string[],
): object[] {
  const rates = new Map(
    rows.map(([bucket, began, converted]) => [
      Number(bucket),
      Number(began) === 0
        ? 0
        : Math.round((Number(converted) / Number(began)) * 10_000) / 100,
    ]),
  );
  const { starts } = buckets;
  return [
    {
      count: starts.length,
      data: starts.map((_, index) => rates.get(index) ?? 0),
      days: starts.map(start => dayOf(start, buckets)),
      labels: starts.map(start => bucketLabel(start, buckets)),
      ...(value !== undefined && { breakdown_value: value }),
    },
  ];
}
