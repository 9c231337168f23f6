import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'processes', globals: true, environment: 'node' },
});
