import { useEffect, useState } from 'react';
import { formatAbsolute, formatDuration, formatRelative } from './formatTime';

/** Props of {@link RelativeTime}. */
export interface RelativeTimeProps {
  /** ISO 8601 timestamp. */
  value: string;
}

/** How long ago or how soon, kept current; the absolute time in the reader's zone on hover. */
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
  /** ISO 8601 timestamp of the beginning. */
  from: string;
  /** ISO 8601 timestamp of the end; null while it goes on. */
  to: string | null;
}

/** Elapsed time; ticks every second while there is no end. */
export function Duration({ from, to }: DurationProps) {
  const now = useNow(to === null ? 1000 : null);
  const end = to === null ? now : Date.parse(to);
  return <span>{formatDuration(end - Date.parse(from))}</span>;
}

/**
 * The current time in milliseconds, renewed every `intervalMs`.
 *
 * @param intervalMs - null stops the clock.
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
