import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'delivery-lake-backend',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
    // Most of a file's time was the loading of the same modules.
    isolate: false,
    globalSetup: ['@slipway/test-postgres/globalSetup'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
