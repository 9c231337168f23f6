import { defineConfig } from '@playwright/test';
import { addresses } from './src/addresses.ts';
import { chromiumArguments, chromiumPath } from './src/chromium.ts';

export default defineConfig({
  testDir: './tests',
  outputDir: '../../test-results',
  // A flow is many pages; on a busy machine each takes seconds.
  timeout: 360_000,
  expect: { timeout: 30_000 },
  // One platform, two cores: side by side the tests would only wait for each other.
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  // What passes the second time is told as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
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
