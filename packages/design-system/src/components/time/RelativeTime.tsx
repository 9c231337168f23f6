import { formatAbsolute, formatRelative } from './formatTime';
import { useNow } from './useNow';

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
