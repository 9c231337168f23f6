import { formatDuration } from './formatTime';
import { useNow } from './useNow';

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
