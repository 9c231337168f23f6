import { useEffect, useState } from 'react';
import { formatAbsolute, formatDuration, formatRelative } from './formatTime';

/** An ISO 8601 timestamp, or milliseconds since the Unix epoch. */
type Instant = string | number;

function parseInstant(instant: Instant): number {
  return typeof instant === 'number' ? instant : Date.parse(instant);
}

/** Props of {@link RelativeTime}. */
export interface RelativeTimeProps {
  /** An ISO 8601 timestamp, or milliseconds since the Unix epoch. */
  value: Instant;
}

/**
 * Shows how far away a time is, and keeps that up to date; on hover the exact time in the user's
 * time zone.
 */
export function RelativeTime({ value }: RelativeTimeProps) {
  const now = useNow(20_000);
  const time = parseInstant(value);
  if (Number.isNaN(time)) {
    return <>{value}</>;
  }
  return (
    <time
      dateTime={
        typeof value === 'string' ? value : new Date(time).toISOString()
      }
      title={formatAbsolute(time)}
    >
      {formatRelative(time, now)}
    </time>
  );
}

/** Props of {@link Duration}. */
export interface DurationProps {
  /** The start: an ISO 8601 timestamp, or milliseconds since the Unix epoch. */
  from: Instant;
  /** The end; null while in progress. */
  to: Instant | null;
}

/** Elapsed time; updates every second while there is no end. */
export function Duration({ from, to }: DurationProps) {
  const now = useNow(to === null ? 1000 : null);
  const end = to === null ? now : parseInstant(to);
  return <span>{formatDuration(end - parseInstant(from))}</span>;
}

/**
 * Returns the current time in milliseconds, updated every `intervalMs`.
 *
 * @param intervalMs - null stops the updates.
 */
function useNow(intervalMs: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (intervalMs === null) {
      return undefined;
    }
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return now;
}
