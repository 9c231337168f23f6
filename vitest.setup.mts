import { vi } from 'vitest';
import { PATIENCE } from './packages/dev-runner/src/patience.ts';

/** Long enough for a busy machine; Vitest waits for one second. */
const WAIT_MS = 10_000;

const waits = vi as typeof vi & { waitsLonger?: boolean };

// Files without isolation run this again in the same process.
if (!waits.waitsLonger) {
  waits.waitsLonger = true;
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (callback, options) => waitFor(callback, withPatience(options));
  vi.waitUntil = (callback, options) =>
    waitUntil(callback, withPatience(options));
}

function withPatience(options: Parameters<typeof vi.waitFor>[1]) {
  const { timeout = WAIT_MS, ...rest } =
    typeof options === 'number' ? { timeout: options } : (options ?? {});
  return { ...rest, timeout: timeout * PATIENCE };
}
