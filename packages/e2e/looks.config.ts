import { defineConfig } from '@playwright/test';
import { addresses } from './src/addresses.ts';
import { chromiumPath, testArguments } from './src/chromium.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

/** The descriptions of all pages, which need no back end: their responses are recorded. */
export default defineConfig({
  testDir: './tests',
  testMatch: ['pages.spec.ts', 'longLists.spec.ts'],
  outputDir: '../../test-results/looks',
  timeout: patient(1_200_000),
  expect: { timeout: patient(30_000) },
  // Pages wait for delayed responses; the others use the processors in the meantime.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  // Tests that pass on the second attempt are reported as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  use: {
    baseURL: addresses.pages,
    // Recording a trace takes more time than everything else, and the diff shows what is wrong.
    trace: 'off',
    launchOptions: {
      executablePath: chromiumPath,
      args: [
        ...testArguments,
        // Makes letters exactly as wide as the font defines, regardless of the machine's
        // settings.
        '--font-render-hinting=none',
        '--disable-lcd-text',
      ],
    },
  },
  webServer: {
    command: 'node src/servePages.ts',
    url: addresses.pages,
    timeout: patient(600_000),
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
});
