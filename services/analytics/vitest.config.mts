import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'analytics',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
    // Without isolation, modules are loaded once instead of for each file.
    isolate: false,
    globalSetup: [
      '@slipway/test-postgres/globalSetup',
      './src/__testUtils__/clickhouseSetup.ts',
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
