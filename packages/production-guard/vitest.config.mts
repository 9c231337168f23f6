import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'production-guard', globals: true, environment: 'node' },
});
