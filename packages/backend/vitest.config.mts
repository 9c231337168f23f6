import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'backend',
    globals: true,
    environment: 'node',
    // Each file starts whole back ends, which take a while on a busy machine.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
