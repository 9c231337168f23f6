import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'lake-cli',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
    // Most of a file's time was the loading of the same modules.
    isolate: false,
  },
});
