import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'build-server',
    globals: true,
    environment: 'node',
    globalSetup: ['@slipway/test-postgres/globalSetup'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
