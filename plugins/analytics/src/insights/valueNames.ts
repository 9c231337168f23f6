import { formatDuration } from '@slipway/design-system';

/** Replaces an empty value and PostHog's names for no value and for all other values with words. */
export function nameOfValue(
  label: string,
  words: { none: string; other: string },
): string {
  if (label === '') {
    return words.none;
  }
  return label
    .replace('$$_posthog_breakdown_null_$$', words.none)
    .replace('$$_posthog_breakdown_other_$$', words.other);
}

/** Formats `1,234`. */
export function formatCount(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 2 });
}

/** Formats a share such as `37%`; a dash if the whole is 0. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`;
}

/** Formats the duration of a request: `40 ms`, `2.5 s`. */
export function formatRequestTime(milliseconds: number): string {
  return milliseconds < 1_000
    ? `${Math.round(milliseconds)} ms`
    : formatDuration(milliseconds);
}

/** Returns a format for the local times of a zone, as the buckets of charts: `2026-11-21 00:30:00`. */
export function localTimesIn(zone: string): Intl.DateTimeFormat {
  // The Swedish locale formats times as ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: zone,
  });
}
