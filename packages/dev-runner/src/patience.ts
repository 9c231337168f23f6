/**
 * How many times longer tests wait before they fail: machines of CI are shared, and sometimes run
 * at a fraction of their speed for an hour.
 */
export const PATIENCE = process.env.CI ? 4 : 1;

/** Returns a timeout in milliseconds that suits this machine. */
export const patient = (ms: number) => ms * PATIENCE;

/** Timeouts of Vitest's tests and hooks: they end what hangs, and say nothing about speed. */
export const timeouts = {
  testTimeout: patient(180_000),
  hookTimeout: patient(180_000),
};
