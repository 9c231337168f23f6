import { defineConfig } from '@playwright/test';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { addresses } from './src/addresses.ts';
import { chromiumPath, testArguments } from './src/chromium.ts';

/** Tests that fill the shared platform with data, count its data, or stop its servers. */
const LATER = /(?:browserSdk|cockpit|crash|demo|outage)\.spec\.ts/;

/** Descriptions of all pages, which have a separate configuration: `looks.config.ts`. */
const LOOKS = /(?:pages|longLists)\.spec\.ts/;

export default defineConfig({
  testDir: './tests',
  outputDir: '../../test-results',
  // A flow visits many pages; on a busy machine each takes seconds.
  timeout: patient(360_000),
  expect: { timeout: patient(30_000) },
  // A flow mostly waits, so two flows keep two cores busy.
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Tests that pass on the second attempt are reported as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  projects: [
    { name: 'flows', testIgnore: [LATER, LOOKS] },
    // Nothing else uses the platform in the meantime.
    {
      name: 'alone',
      testMatch: LATER,
      workers: 1,
      dependencies: ['flows'],
    },
  ],
  use: {
    baseURL: addresses.portal,
    // Without a limit, an action on a missing element would wait until the timeout of its test.
    actionTimeout: patient(60_000),
    // Spinners would keep a processor busy.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording every step takes a quarter of the processor time, so CI records only second attempts.
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromiumPath,
      args: [...testArguments],
    },
  },
  webServer: {
    command: 'node src/platform.ts',
    url: addresses.portal,
    timeout: patient(300_000),
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: process.env.SLIPWAY_E2E_LOG ? 'pipe' : 'ignore',
  },
});
