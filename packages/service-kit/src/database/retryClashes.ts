import { setTimeout as sleep } from 'node:timers/promises';

/** PostgreSQL: serialization_failure and deadlock_detected. */
const CLASHES = new Set(['40001', '40P01']);
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 10;

/**
 * Runs a transaction again where it clashed with another, at most five times, with
 * growing random pauses so that two do not clash in step.
 */
export async function retryClashes<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const { code } = error as { code?: string };
      if (tries === ATTEMPTS || !code || !CLASHES.has(code)) {
        throw error;
      }
      await sleep(Math.random() * FIRST_PAUSE_MS * 2 ** tries);
    }
  }
}
