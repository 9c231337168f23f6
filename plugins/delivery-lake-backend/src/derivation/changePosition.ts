const SEQUENCES = 2048;

/**
 * Where a change stands among those of its repository's deployed branch: a number
 * that grows with the moment it landed, then with its order within the push.
 *
 * @param landedAt - milliseconds since the Unix epoch.
 * @param sequence - from 0; what is beyond 2047 shares the last place.
 */
export function changePosition(landedAt: number, sequence = 0): number {
  return landedAt * SEQUENCES + Math.min(sequence, SEQUENCES - 1);
}

/** When what stands there landed, in milliseconds since the Unix epoch. */
export function landingTime(position: number): number {
  return Math.floor(position / SEQUENCES);
}
