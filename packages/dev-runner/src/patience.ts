/**
 * How many times longer tests wait before they fail: machines of CI are shared, and sometimes run
 * at a fraction of their speed for an hour.
 */
export const PATIENCE = process.env.CI ? 4 : 1;

/** Returns a timeout in milliseconds that suits this machine. */
export const patient = (ms: number) => ms * PATIENCE;

/**
 * Vitest options of all projects. The timeouts only end tests that hang, and do not measure speed.
 * In CI, a test that fails runs a second time, as in Playwright: `FlakyTestsReporter` lists those
 * that then pass.
 */
export const tolerance = {
  testTimeout: patient(180_000),
  hookTimeout: patient(180_000),
  retry: process.env.CI ? 1 : 0,
};
