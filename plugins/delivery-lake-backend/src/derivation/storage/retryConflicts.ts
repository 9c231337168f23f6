import { setTimeout as sleep } from 'node:timers/promises';

// Serialization failure, deadlock.
const CONFLICT_CODES = new Set(['40001', '40P01', 'SQLITE_BUSY']);
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 20;

function isConflict(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    CONFLICT_CODES.has(String(error.code))
  );
}

/** Runs a transaction again when another one was in its way, a few times. */
export async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflict(error)) {
        throw error;
      }
      await sleep(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));
    }
  }
}
