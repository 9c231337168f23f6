import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'forge-webhooks', globals: true, environment: 'node' },
});
