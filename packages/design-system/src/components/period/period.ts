/** First and last day, `YYYY-MM-DD`, both inclusive. */
export interface DayRange {
  startDate: string;
  endDate: string;
}

/** Periods that end today, by their name in the URL; the empty name is the default. */
const PRESETS = { '': 30, '90d': 90, '12m': 365 } as const;
type Preset = keyof typeof PRESETS;

const DAY_MS = 86_400_000;
const RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

/** Converts a calendar day to a number; only differences are meaningful. */
function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Checks whether someone may have meant a day: while its year is typed, fields report the years 2,
 * 20 and 202.
 */
export function isLikelyDay(date: string): boolean {
  return /^(?:19|20)\d\d-/.test(date);
}

/** Returns today's date in a time zone. */
export function todayIn(timeZone: string, now = Date.now()): string {
  // The Swedish locale formats dates as ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);
}

/** Returns today's date in the user's time zone. */
export function today(): string {
  return todayIn(new Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** Returns the number of days in a range. */
export function daysIn({ startDate, endDate }: DayRange): number {
  return dayNumber(endDate) - dayNumber(startDate) + 1;
}

/** Checks whether a day exists: `Date.parse` turns 30 February into 2 March. */
function isDay(date: string): boolean {
  const day = dayNumber(date);
  return !Number.isNaN(day) && dateOf(day) === date;
}

/**
 * Parses a date range in the URL's `period`, `2026-11-02..2026-11-08`; undefined if it is not one.
 */
export function parseRange(text: string): DayRange | undefined {
  const match = RANGE.exec(text);
  const [, startDate = '', endDate = ''] = match ?? [];
  if (!isDay(startDate) || !isDay(endDate)) {
    return undefined;
  }
  return startDate <= endDate ? { startDate, endDate } : undefined;
}

/** Formats a range for {@link parseRange}. */
export function formatRange({ startDate, endDate }: DayRange): string {
  return `${startDate}..${endDate}`;
}

/** Returns the period that ends today in the URL's `period`; the default if it is none of them. */
export function presetOf(text: string): Preset {
  return (Object.keys(PRESETS) as Preset[]).find(key => key === text) ?? '';
}

/**
 * Returns the days of the URL's `period`; invalid values give the default.
 *
 * @param date - today's date.
 */
export function resolvePeriod(text: string, date: string): DayRange {
  const range = parseRange(text);
  if (range) {
    return range;
  }
  const days = PRESETS[presetOf(text)];
  return { startDate: dateOf(dayNumber(date) - days + 1), endDate: date };
}

/** A date without a time has no time zone; parsing and formatting it as UTC keeps the day. */
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

/** Formats a range: "21 Nov 2026", "2 – 8 Nov 2026", "30 Oct – 5 Nov 2026". */
export function formatDays({ startDate, endDate }: DayRange): string {
  return startDate === endDate
    ? full.format(parse(startDate))
    : full
        .formatRange(parse(startDate), parse(endDate))
        .replaceAll('\u2009', ' ');
}

/** Formats a day briefly: "2 Nov". */
export function formatDay(date: string): string {
  return short.format(parse(date));
}
