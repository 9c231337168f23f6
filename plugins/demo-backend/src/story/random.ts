import { createHash } from 'node:crypto';

const RANGE = 2 ** 32;

/** Pseudorandom choices that are the same for the same seed. */
export interface Dice {
  /** A number in [0, 1). */
  roll(): number;
  /** A number mostly between a third of `mean` and twice `mean`. */
  around(mean: number): number;
  /** An integer that is `mean` on average. */
  count(mean: number): number;
  pick<T>(values: readonly T[]): T;
}

/**
 * Accumulates fractions and returns how many whole units are complete. The average rate equals
 * that of random events, but without clusters, so that a single month reflects the rate.
 */
export class Beat {
  #sum: number;

  /** @param phase - a number in [0, 1): the initial fraction. */
  constructor(phase: number) {
    this.#sum = phase;
  }

  add(share: number): number {
    this.#sum += share;
    const whole = Math.floor(this.#sum);
    this.#sum -= whole;
    return whole;
  }
}

/**
 * Creates separate dice for each service, person or page, so that adding one does not change the
 * others (mulberry32 seeded with SHA-256).
 */
export function diceOf(...words: (string | number)[]): Dice {
  let state = createHash('sha256')
    .update(words.join('\n'))
    .digest()
    .readUInt32LE();
  /* eslint-disable no-bitwise */
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE;
  };
  /* eslint-enable no-bitwise */
  return {
    roll,
    around: mean => mean * (0.35 + 1.5 * roll() ** 1.3),
    count: mean => Math.floor(mean + roll()),
    pick: values => values[Math.floor(roll() * values.length)],
  };
}
