import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'lake-cli',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
  },
});
