import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'managed-tools', globals: true, environment: 'node' },
});
