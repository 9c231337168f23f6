import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      'packages/*/vitest.config.mts',
      'plugins/*/vitest.config.mts',
      'services/*/vitest.config.mts',
    ],
  },
});
