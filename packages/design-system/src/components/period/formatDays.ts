import type { DayRange } from './period';

/** A date without a time belongs to no zone; reading and writing it as UTC keeps the day. */
const ZONE = { timeZone: 'UTC' } as const;

const full = new Intl.DateTimeFormat('en-GB', {
  ...ZONE,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const short = new Intl.DateTimeFormat('en-GB', {
  ...ZONE,
  day: 'numeric',
  month: 'short',
});

function parse(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** "21 Nov 2026", "2 – 8 Nov 2026", "30 Oct – 5 Nov 2026". */
export function formatDays({ startDate, endDate }: DayRange): string {
  return startDate === endDate
    ? full.format(parse(startDate))
    : full
        .formatRange(parse(startDate), parse(endDate))
        .replaceAll('\u2009', ' ');
}

/** "2 Nov". */
export function formatDay(date: string): string {
  return short.format(parse(date));
}
