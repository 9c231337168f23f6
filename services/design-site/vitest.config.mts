import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'design-site',
    globals: true,
    environment: 'jsdom',
    setupFiles: ['@testing-library/jest-dom/vitest'],
    testTimeout: 30_000,
  },
});
