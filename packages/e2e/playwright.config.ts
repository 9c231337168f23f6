import { defineConfig } from '@playwright/test';
import { addresses } from './src/addresses.ts';
import { chromiumArguments, chromiumPath } from './src/chromium.ts';

/** The tests that fill the platform which all share, or end servers of it. */
const LATER = /(?:cockpit|crash|outage)\.spec\.ts/;

export default defineConfig({
  testDir: './tests',
  outputDir: '../../test-results',
  // A flow is many pages; on a busy machine each takes seconds.
  timeout: 360_000,
  expect: { timeout: 30_000 },
  // A flow waits more than it works, so two of them fill two cores.
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // What passes the second time is told as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  projects: [
    { name: 'flows', testIgnore: LATER },
    // Nobody else works with the platform meanwhile.
    {
      name: 'alone',
      testMatch: LATER,
      workers: 1,
      dependencies: ['flows'],
    },
  ],
  use: {
    baseURL: addresses.portal,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromiumPath,
      args: [...chromiumArguments],
    },
  },
  webServer: {
    command: 'node src/platform.ts',
    url: addresses.portal,
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: process.env.SLIPWAY_E2E_LOG ? 'pipe' : 'ignore',
  },
});
