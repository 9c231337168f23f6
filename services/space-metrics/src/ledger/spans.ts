import type { LocalDay } from '../periods/LocalDay.ts';

/** As many days as there are bits in an integer that PostgreSQL can store. */
const DAYS = 31;
const EVERY_DAY = 2 ** DAYS - 1;

/** Some days of one span: of 31 days, counted from 1970-01-01. */
export interface SpanDays {
  readonly span: number;
  /** Bit n stands for day n of the span. */
  readonly days: number;
}

/** The span that a day falls in, with the bit of that day alone. */
export function spanOf(day: LocalDay): SpanDays {
  return { span: Math.floor(day / DAYS), days: 2 ** (day % DAYS) };
}

/** The spans of a period, both days inclusive, and which days of each belong to it. */
export function spansOf({
  from,
  to,
}: {
  from: LocalDay;
  to: LocalDay;
}): SpanDays[] {
  const first = spanOf(from);
  const last = spanOf(to);
  return Array.from({ length: last.span - first.span + 1 }, (_, index) => {
    const span = first.span + index;
    // From bit n on is all but the bits below; up to bit n is all below the next.
    const since =
      span === first.span ? EVERY_DAY - (first.days - 1) : EVERY_DAY;
    const until = span === last.span ? last.days * 2 - 1 : EVERY_DAY;
    // eslint-disable-next-line no-bitwise
    return { span, days: since & until };
  });
}

/** How many days are in a set of them. */
export function countDays(days: number): number {
  let count = 0;
  for (let left = days; left > 0; left = Math.floor(left / 2)) {
    count += left % 2;
  }
  return count;
}
