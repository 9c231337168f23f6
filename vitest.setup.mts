import { vi } from 'vitest';

/** Long enough for a busy machine; Vitest waits for one second. */
const WAIT_MS = 10_000;

const waits = vi as typeof vi & { waitsLonger?: boolean };

// Projects without isolation run this before each of their files.
if (!waits.waitsLonger) {
  waits.waitsLonger = true;
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (callback, options) =>
    waitFor(callback, withDefaultTimeout(options));
  vi.waitUntil = (callback, options) =>
    waitUntil(callback, withDefaultTimeout(options));
}

function withDefaultTimeout(options: Parameters<typeof vi.waitFor>[1]) {
  return typeof options === 'number'
    ? options
    : { timeout: WAIT_MS, ...options };
}
