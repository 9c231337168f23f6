import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'fuzz',
    globals: true,
    environment: 'node',
    setupFiles: ['../../vitest.setup.mts'],
  },
});
