import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'test-postgres',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
    testTimeout: 60_000,
  },
});
