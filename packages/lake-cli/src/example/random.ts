import { createHash } from 'node:crypto';

const RANGE = 2 ** 32;

/**
 * Random numbers in [0, 1) that are the same for the same words every time
 * (mulberry32 seeded by SHA-256).
 */
export function randomOf(...words: (string | number)[]): () => number {
  let state = createHash('sha256')
    .update(words.join('\n'))
    .digest()
    .readUInt32LE();
  /* eslint-disable no-bitwise */
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE;
  };
  /* eslint-enable no-bitwise */
}
