import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'entity-contract', globals: true, environment: 'node' },
});
