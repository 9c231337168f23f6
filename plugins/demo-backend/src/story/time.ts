export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The number of days in the story. */
const STORY_DAYS = 180;

/** The period of a story in milliseconds since the Unix epoch; days are in UTC. */
export interface StoryTime {
  /** Midnight of the first day. */
  readonly start: number;
  /** Midnight of today: the story ends yesterday, so that all of it is in the past. */
  readonly end: number;
}

/** Returns the half year before a given time. */
export function storyTimeAt(now: number): StoryTime {
  const end = now - (now % DAY_MS);
  return { start: end - STORY_DAYS * DAY_MS, end };
}

/** Returns whether a day is a workday. */
export function isWorkday(day: number): boolean {
  return ![0, 6].includes(new Date(day).getUTCDay());
}

/** Returns the last workday at least `days` days before today. */
export function workdayBefore({ end }: StoryTime, days: number): number {
  let day = end - days * DAY_MS;
  while (!isWorkday(day)) {
    day -= DAY_MS;
  }
  return day;
}

/** Returns the first workday after a day. */
export function workdayAfter(day: number): number {
  let next = day + DAY_MS;
  while (!isWorkday(next)) {
    next += DAY_MS;
  }
  return next;
}

/** Returns the elapsed fraction of the story, from 0 to 1. */
export function partOf({ start, end }: StoryTime, moment: number): number {
  return Math.min(1, Math.max(0, (moment - start) / (end - start)));
}

/** Formats a time as ISO 8601 in UTC. */
export function iso(moment: number): string {
  return new Date(moment).toISOString();
}
