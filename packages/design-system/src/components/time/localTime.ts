/** Formats a time as the value of a `datetime-local` field, in the user's zone, to the minute. */
export function localTime(time: Date): string {
  const zone = time.getTimezoneOffset() * 60_000;
  return new Date(time.getTime() - zone).toISOString().slice(0, 16);
}

/** Parses the value of a `datetime-local` field; returns undefined if it is empty. */
export function readLocalTime(value: string): string | undefined {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
