const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** How long a delivery is tried before it is given up. */
export const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/**
 * Milliseconds until the next attempt: doubling from two seconds to an hour, less
 * up to a fifth at random, so that what failed together is not tried together.
 *
 * @param attempts - made so far, at least 1.
 */
export function backOff(attempts: number, random = Math.random): number {
  const pause = Math.min(
    FIRST_PAUSE_MS * 2 ** (attempts - 1),
    LONGEST_PAUSE_MS,
  );
  return Math.round(pause * (1 - random() / 5));
}
