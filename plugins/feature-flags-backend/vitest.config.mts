import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'feature-flags-backend',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
