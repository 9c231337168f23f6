import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'feedback',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
    // Without isolation, modules are loaded once instead of for each file, which took most of the
    // time.
    isolate: false,
    globalSetup: ['@slipway/test-postgres/globalSetup'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
