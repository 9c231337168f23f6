import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'catalog-backend-module-contract',
    globals: true,
    environment: 'node',
    globalSetup: ['@slipway/test-postgres/globalSetup'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
