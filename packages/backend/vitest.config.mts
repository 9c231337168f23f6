import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'backend',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
    // Most of a file's time was the loading of the same modules.
    isolate: false,
    globalSetup: ['@slipway/test-postgres/globalSetup'],
    // Test files start complete backends, which takes a while on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
