import { formatDuration } from '@slipway/design-system';

const MINUTE_MS = 60_000;

/** Lost time as it is told: "0 min", "45 min", "6 h 30 min". */
export function formatMinutes(minutes: number): string {
  return minutes === 0 ? '0 min' : formatDuration(minutes * MINUTE_MS);
}
