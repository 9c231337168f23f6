import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'egress-guard', globals: true, environment: 'node' },
});
