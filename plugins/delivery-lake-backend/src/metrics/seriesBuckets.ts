import { InputError } from '@backstage/errors';
import { SeriesInterval } from '@slipway/plugin-delivery-lake-common';
import { DateTime } from 'luxon';
import { Period } from './period';

const MAX_BUCKETS = 1_000;

/** One day, week or month, cut to a period. */
export interface SeriesBucket extends Period {
  /** It was cut. */
  partial: boolean;
}

/**
 * Cuts a period at the days, ISO weeks or months of the zone.
 *
 * @throws InputError when that gives more than a thousand.
 */
export function seriesBuckets(
  period: Period,
  interval: SeriesInterval,
  timeZone: string,
): SeriesBucket[] {
  const buckets: SeriesBucket[] = [];
  if (period.start >= period.end) {
    return buckets;
  }
  let begin = DateTime.fromMillis(period.start, { zone: timeZone }).startOf(
    interval,
  );
  while (begin.toMillis() < period.end) {
    if (buckets.length === MAX_BUCKETS) {
      throw new InputError(
        `interval: the period has more than ${MAX_BUCKETS} of a ${interval}`,
      );
    }
    const next = begin.plus({ [interval]: 1 }).startOf(interval);
    const start = Math.max(begin.toMillis(), period.start);
    const end = Math.min(next.toMillis(), period.end);
    const partial = start > begin.toMillis() || end < next.toMillis();
    buckets.push({ start, end, partial });
    begin = next;
  }
  return buckets;
}
