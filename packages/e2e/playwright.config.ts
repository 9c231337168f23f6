import { defineConfig } from '@playwright/test';
import { addresses } from './src/addresses.ts';
import { chromiumArguments, chromiumPath } from './src/chromium.ts';

export default defineConfig({
  testDir: './tests',
  outputDir: '../../test-results',
  timeout: 180_000,
  expect: { timeout: 20_000 },
  // One platform, two cores: side by side the tests would only wait for each other.
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
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
    url: `${addresses.api}/.backstage/health/v1/readiness`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: process.env.SLIPWAY_E2E_LOG ? 'pipe' : 'ignore',
  },
});
