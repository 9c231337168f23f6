import { setTimeout as delay } from 'node:timers/promises';
import { ClusterUnreachableError } from './errors';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** @returns a pause that doubles with each attempt, up to `maxMs`, a third of it by chance, so that portals do not come all at once. */
export function backoff(
  attempt: number,
  options: { firstMs: number; maxMs: number },
): number {
  const pause = Math.min(options.firstMs * 2 ** attempt, options.maxMs);
  return pause * (2 / 3 + Math.random() / 3);
}

/** Tries again, a bounded number of times, what failed because the cluster could not be asked. */
export async function retryUnreachable<T>(
  attempts: number,
  action: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      const last = attempt + 1 >= attempts;
      if (last || !(error instanceof ClusterUnreachableError)) {
        throw error;
      }
      await delay(
        backoff(attempt, { firstMs: FIRST_PAUSE_MS, maxMs: LONGEST_PAUSE_MS }),
      );
    }
  }
}
