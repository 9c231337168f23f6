/**
 * A moment as the reader's clock shows it: `14:05`, with the date where it is not today.
 *
 * @param value - ISO 8601
 */
export function clockTime(value: string, now: Date = new Date()): string {
  const moment = new Date(value);
  const isToday = moment.toDateString() === now.toDateString();
  return new Intl.DateTimeFormat(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(!isToday && { day: 'numeric', month: 'short' }),
  }).format(moment);
}

/** A moment in full, for the title of an element that shows less. */
export function fullTime(value: string): string {
  return new Intl.DateTimeFormat(undefined, {
    dateStyle: 'full',
    timeStyle: 'long',
  }).format(new Date(value));
}
