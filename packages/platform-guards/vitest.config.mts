import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'platform-guards', globals: true, environment: 'node' },
});
