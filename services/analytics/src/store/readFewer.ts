import { QueryTooHeavyError } from './process/LazyProcess.ts';

/**
 * Reads rows of unknown size, halving their number after each attempt that was too heavy,
 * down to one row.
 * @param most - the limit of the first attempt.
 * @returns the rows, and the limit of the attempt that succeeded.
 * @throws QueryTooHeavyError if even one row is too heavy.
 */
export async function readFewer<T>(
  most: number,
  read: (limit: number) => Promise<T>,
): Promise<{ found: T; limit: number }> {
  for (let limit = most; ; limit = Math.ceil(limit / 2)) {
    try {
      return { found: await read(limit), limit };
    } catch (error) {
      if (!(error instanceof QueryTooHeavyError) || limit === 1) {
        throw error;
      }
    }
  }
}
