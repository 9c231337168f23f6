const DAY_MS = 86_400_000;
/** Starts of months are at least this far apart, and those of shorter intervals are not. */
const MONTH_MS = 28 * DAY_MS;

/**
 * Converts a local time such as the start of an interval to a number. Only differences are
 * meaningful, to within the hour by which clocks are changed.
 */
export function momentOf(local: string): number {
  return Date.parse(
    `${local.replace(' ', 'T')}${local.length > 10 ? 'Z' : ''}`,
  );
}

/**
 * Checks whether the last of several consecutive intervals is not over yet, so that its number
 * will still grow. A single interval is taken for an hour or a day.
 *
 * @param starts - the local times at which the intervals start.
 * @param now - the current local time.
 */
export function isLastRunning(starts: readonly string[], now: string): boolean {
  const last = starts.at(-1);
  if (last === undefined) {
    return false;
  }
  const start = momentOf(last);
  const previous = starts.at(-2);
  const single = last.length > 10 ? DAY_MS / 24 : DAY_MS;
  const length = previous === undefined ? single : start - momentOf(previous);
  return (
    start <= momentOf(now) &&
    momentOf(now) < (length < MONTH_MS ? start + length : monthAfter(start))
  );
}

function monthAfter(start: number): number {
  const date = new Date(start);
  return date.setUTCMonth(date.getUTCMonth() + 1);
}
