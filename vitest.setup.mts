import { vi } from 'vitest';
import { PATIENCE } from './packages/dev-runner/src/patience.ts';

/** Default timeout of `vi.waitFor` and `vi.waitUntil`, for busy machines. Vitest's is one second. */
const WAIT_MS = 10_000;

const waits = vi as typeof vi & { waitsLonger?: boolean };

// Without isolation, this module runs several times in a process.
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
