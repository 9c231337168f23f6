import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'dev-runner',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
    // The tests start real processes and wait for them to end.
    testTimeout: 20_000,
  },
});
