import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { compileCacheDirectory } from './packages/dev-runner/src/layout.ts';

// One for each processor: with more, they take each other's time, and a tenth more of it. Set as a
// variable, because the option would not apply to projects with their own configuration.
process.env.VITEST_MAX_WORKERS ??= String(availableParallelism());

// Workers, and the servers that tests start, load the same large packages again and again.
process.env.NODE_COMPILE_CACHE ??= compileCacheDirectory;

export default defineConfig({
  test: {
    projects: [
      'packages/*/vitest.config.mts',
      'plugins/*/vitest.config.mts',
      'services/*/vitest.config.mts',
    ],
  },
});
