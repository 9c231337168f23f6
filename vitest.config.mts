import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Many tests wait for processes or for time: others compute meanwhile. As an option it would
// be for projects without a configuration of their own.
process.env.VITEST_MAX_WORKERS ??= String(
  Math.ceil(1.5 * availableParallelism()),
);

export default defineConfig({
  test: {
    projects: [
      'packages/*/vitest.config.mts',
      'plugins/*/vitest.config.mts',
      'services/*/vitest.config.mts',
    ],
  },
});
