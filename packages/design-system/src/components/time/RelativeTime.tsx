import { useEffect, useState } from 'react';
import { formatAbsolute, formatDuration, formatRelative } from './formatTime';

/** Props of {@link RelativeTime}. */
export interface RelativeTimeProps {
  /** ISO 8601 timestamp. */
  value: string;
}

/**
 * Shows how far away a time is, and keeps that up to date; on hover the exact time in the user's
 * time zone.
 */
export function RelativeTime({ value }: RelativeTimeProps) {
  const now = useNow(20_000);
  const time = Date.parse(value);
  if (Number.isNaN(time)) {
    return <>{value}</>;
  }
  return (
    <time dateTime={value} title={formatAbsolute(time)}>
      {formatRelative(time, now)}
    </time>
  );
}

/** Props of {@link Duration}. */
export interface DurationProps {
  /** ISO 8601 timestamp of the start. */
  from: string;
  /** ISO 8601 timestamp of the end; null while in progress. */
  to: string | null;
}

/** Elapsed time; updates every second while there is no end. */
export function Duration({ from, to }: DurationProps) {
  const now = useNow(to === null ? 1000 : null);
  const end = to === null ? now : Date.parse(to);
  return <span>{formatDuration(end - Date.parse(from))}</span>;
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
