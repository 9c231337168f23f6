import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'dev-runner',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
    // A process for each file would take longer than most of the files.
    isolate: false,
    // The tests start real processes and wait for them to end.
    testTimeout: 60_000,
  },
});
