/** A duration for people: `4.2 s`, `3 min 07 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) {
    return `${seconds.toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  const rest = String(whole % 60).padStart(2, '0');
  return `${Math.floor(whole / 60)} min ${rest} s`;
}
