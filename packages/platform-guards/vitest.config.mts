import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'platform-guards',
    globals: true,
    environment: 'node',
    // A process for each file would take longer than most of the files.
    isolate: false,
  },
});
