import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'catalog-backend-module-contract',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
    // Most of the run time of a test file was loading the same modules.
    isolate: false,
    globalSetup: ['@slipway/test-postgres/globalSetup'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
