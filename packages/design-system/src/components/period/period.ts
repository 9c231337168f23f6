/** First and last day, `YYYY-MM-DD`, both inclusive. */
export interface DayRange {
  startDate: string;
  endDate: string;
}

/** Periods that end today, by their name in the URL; the empty name is the default. */
const PRESETS = { '': 30, '90d': 90, '12m': 365 } as const;
export type Preset = keyof typeof PRESETS;

const DAY_MS = 86_400_000;
const RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

/** Day of the calendar as a number; only differences mean anything. */
function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Today's date in a time zone. */
export function todayIn(timeZone: string, now = Date.now()): string {
  // Sweden writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);
}

/** How many days a range has. */
export function daysIn({ startDate, endDate }: DayRange): number {
  return dayNumber(endDate) - dayNumber(startDate) + 1;
}

/** The range of a URL's `period` when it is one of dates, `2026-11-02..2026-11-08`. */
export function parseRange(text: string): DayRange | undefined {
  const match = RANGE.exec(text);
  if (!match || Number.isNaN(dayNumber(match[1]) + dayNumber(match[2]))) {
    return undefined;
  }
  const [, startDate, endDate] = match;
  return startDate <= endDate ? { startDate, endDate } : undefined;
}

/** The reverse of {@link parseRange}. */
export function formatRange({ startDate, endDate }: DayRange): string {
  return `${startDate}..${endDate}`;
}

/** The days that a URL's `period` means; what cannot be read is the default. */
export function resolvePeriod(text: string, today: string): DayRange {
  const range = parseRange(text);
  if (range) {
    return range;
  }
  const preset = (Object.keys(PRESETS) as Preset[]).find(key => key === text);
  const days = PRESETS[preset ?? ''];
  return { startDate: dateOf(dayNumber(today) - days + 1), endDate: today };
}
